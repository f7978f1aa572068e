"""Sizes that keep a module readable in one sitting. Raising one is a design decision, not an edit here."""

from __future__ import annotations

from tests.architecture.source import body_lines, functions, modules, parameters

MODULE_LINES = 400
BODY_LINES = 40
PARAMETERS = 7

# An author reads a declaration as one table of options, so each option is a keyword of its own.
DECLARING = frozenset(
    {
        "afford.authentication.jwt_bearer:JWTBearer.__init__",
        "afford.declare.feature:Feature.screen",
        "afford.declare.offerings:Offerings.resource",
        "afford.declare.offerings:Offerings.tool",
    }
)


def test_no_module_is_longer_than_the_budget() -> None:
    lengths = {module.name: len(module.text.splitlines()) for module in modules()}
    assert {name: length for name, length in lengths.items() if length > MODULE_LINES} == {}


def test_no_function_body_is_longer_than_the_budget() -> None:
    lengths = {function.label: body_lines(function.node) for function in functions()}
    assert {label: length for label, length in lengths.items() if length > BODY_LINES} == {}


def test_only_declarations_take_more_parameters_than_the_budget() -> None:
    over = {function.label for function in functions() if len(parameters(function)) > PARAMETERS}
    assert over == DECLARING
