"""The build rules: every code that `build()` can report, with what it means and why it is an error.

`afford explain CODE` and the generated page print this table; a test holds it and the checks together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class BuildRule:
    """One way in which declarations can be wrong."""

    code: str
    name: str
    """The same rule in words, as `afford explain` also takes it."""
    what: str
    why: str
    fix: str


_RULES: Final = (
    BuildRule(
        "ACC101",
        "missing-access",
        "An operation states no access rule and inherits none from its feature or app.",
        "Nobody decided who may call it, and a guess would be a leak.",
        "Say `access=anyone()`, `signed_in()`, `roles(...)` or a rule of your own.",
    ),
    BuildRule(
        "ACC102",
        "unknown-role",
        "A rule names a role that `App(roles=...)` does not declare.",
        "Nobody can ever hold it, so the operation is dead for everyone.",
        "Correct the spelling, or add the role to `App(roles=(...))`.",
    ),
    BuildRule(
        "ACC103",
        "invalid-rule",
        "`access=` or `widens=` is neither a rule nor a callable over the caller.",
        "What cannot be evaluated cannot protect.",
        "Use `anyone()`, `signed_in()`, `roles(...)`, `claim(...)`, `&`, `|`, `~`, or a function of the caller.",
    ),
    BuildRule(
        "DEC101",
        "invalid-id",
        "An id is not made of segments `[A-Za-z][A-Za-z0-9_-]*` joined by `:`, or its wire name is over 64 characters.",
        "The wire name has to be a legal name on every surface, and clients cut longer ones silently.",
        "Shorten or respell the id.",
    ),
    BuildRule(
        "DEC102",
        "name-clash",
        "Two operations have the same wire name, or names that differ only in case.",
        "One of them would be unreachable, or would be called by mistake.",
        "Give one of them another id.",
    ),
    BuildRule(
        "DEC103",
        "reserved-name",
        "An id starts with `afford` or equals a fixed route.",
        "The built-in of that name would win, and the operation could never be called.",
        "Choose another id.",
    ),
    BuildRule(
        "DEC104",
        "unannotated-parameter",
        "A parameter of a handler has no type.",
        "Without a type there is no contract to publish.",
        "Annotate the parameter.",
    ),
    BuildRule(
        "DEC105",
        "lossy-signature",
        "A handler takes `*args` or `**kwargs`.",
        "A decorator probably hid the real signature; what is left says nothing about the inputs.",
        "Use `functools.wraps` in the decorator, or declare the inner function.",
    ),
    BuildRule(
        "DEC106",
        "missing-return-type",
        "A handler has no return annotation.",
        "Without one there is no output contract.",
        "Annotate what the handler returns (`-> None` for nothing).",
    ),
    BuildRule(
        "DEC107",
        "unresolved-annotation",
        "An annotation names something that cannot be found.",
        "The type behind the name decides the contract.",
        "Import the name at run time, not only under `TYPE_CHECKING`.",
    ),
    BuildRule(
        "DEC108",
        "unprovided-parameter",
        "A parameter has a type that is neither expressible in JSON nor provided.",
        "There is nowhere to take its value from.",
        "Add `app.provide(Type, provider)`, or use a type that JSON can carry.",
    ),
    BuildRule(
        "DEC109",
        "identity-argument",
        "An input is named like the caller (`user_id`, `agent_id`, `actor`, `role`, `principal`).",
        "Who calls is what authentication found; as an argument anybody could claim it.",
        "Take `caller: Caller` instead, or pass `allow_identity_argument=True` if it means somebody else.",
    ),
    BuildRule(
        "DEC110",
        "dependent-static",
        "A `static` operation takes inputs, the caller, the call or a page, itself or through a provider, or checks "
        "whose rows it answers.",
        "Its answer is computed once and given to everybody.",
        "Make it a `query`.",
    ),
    BuildRule(
        "DEC111",
        "event-with-result",
        "An `event` returns something.",
        "An event is answered when it ran, with no result.",
        "Annotate `-> None`, or make it an `action`.",
    ),
    BuildRule(
        "DEC112",
        "paging-mismatch",
        "`Page[T]`, `PageRequest[T]` and `paging=` do not go together, or the sizes make no sense.",
        "A page that cannot be asked for, or cannot be continued, is a wrong answer.",
        "A paging query takes `page: PageRequest[T]` and returns `Page[T]`, with 1 <= default <= max.",
    ),
    BuildRule(
        "DEC113",
        "rejected-example",
        "An example does not fit the operation's own schemas.",
        "Assistants copy examples verbatim.",
        "Correct the example, or the type.",
    ),
    BuildRule(
        "DEC114",
        "unknown-word",
        "An option has a value outside its closed set.",
        "A misspelt `risk`, `safety`, `reach` or `expose` would be read as its default.",
        "Use one of the values that the message lists.",
    ),
    BuildRule(
        "DEC115",
        "contradictory-safety",
        "Kind, safety and risk contradict each other.",
        "Clients decide from these words whether to ask a person.",
        "A query only reads (`GET` is safe, RFC 9110 section 9.2.1), and destructive is never low risk.",
    ),
    BuildRule(
        "DEC116",
        "unknown-entity",
        "An operation or screen names an entity that is not declared, or an entity is declared twice.",
        "The name leads nowhere.",
        "Declare it with `app.entity(name, Model)`.",
    ),
    BuildRule(
        "DEC117",
        "unknown-screen",
        "A navigation entry points at a screen or parent that does not exist, or an id is used twice.",
        "The entry leads nowhere.",
        "Correct the id.",
    ),
    BuildRule(
        "DEC118",
        "invalid-problem",
        "A problem's code, status or place in `raises=` is wrong.",
        "Callers branch on the code; an undeclared one is reported as `internal`.",
        "Codes are `[A-Z][A-Z0-9_]*`, unique, with a 4xx or 5xx status; `raises` lists what `app.problem` made.",
    ),
    BuildRule(
        "DEC119",
        "unknown-denied-id",
        "`App(deny=...)` names an operation that does not exist.",
        "A denial that misses its target denies nothing.",
        "Correct the id.",
    ),
    BuildRule(
        "DEC120",
        "invalid-provider",
        "A provider lacks what it needs, waits for itself, or its type is provided twice.",
        "The handlers that need the value could never run.",
        "Give its parameters provided types and break the circle.",
    ),
    BuildRule(
        "DEC121",
        "unknown-option",
        "An option does not exist, or excludes another one that is given.",
        "A misspelt option would silently not apply.",
        "Use the option that the message suggests. There is no `params`: names live in the input schema.",
    ),
    BuildRule(
        "DEC122",
        "missing-docstring",
        "`description=DOC` was given and the handler has no docstring.",
        "The text that was asked for does not exist.",
        "Write the docstring, or pass `description=`.",
    ),
    BuildRule(
        "DEC123",
        "tool-without-description",
        "A tool has no description.",
        "An agent decides by the description alone whether to call it.",
        "Write what the tool is for, and when to call it.",
    ),
    BuildRule(
        "ASK101",
        "unaskable-question",
        "What `Ask` annotates is no model of flat fields: text, numbers, booleans, closed sets.",
        "Clients show a question as a form, and a form has no control for anything else.",
        "Flatten the model, or ask less; the rest can be an input.",
    ),
    BuildRule(
        "RCH101",
        "reach-without-grounds",
        "`reach` is `consented` without `consented=`, or `role` without `widens=` and `owner=`.",
        "Somebody else's rows leave only on grounds that can be checked.",
        "Add what the message names.",
    ),
    BuildRule(
        "RCH102",
        "unknown-owner",
        "`owner=` is neither a field of the rows nor a function of a row.",
        "A guard that cannot find the owner guards nothing.",
        "Name a field of the row type, or pass a function of the row.",
    ),
    BuildRule(
        "RCH103",
        "published-identifier",
        "A `published` operation returns a field marked `Identifier()`.",
        "Everybody would learn what somebody's account logs in with.",
        "Remove the field, or publish a stable pseudonym.",
    ),
    BuildRule(
        "RCH104",
        "unused-grounds",
        "`consented=` or `widens=` is given for a reach that does not use it.",
        "The reader believes in a guard that never runs.",
        "Declare the reach that it belongs to, or remove it.",
    ),
    BuildRule(
        "RES101",
        "invalid-uri",
        "The `uri=` or `uri_template=` of a resource is no absolute URI, or no template of RFC 6570 level 1.",
        "Clients could not ask for it.",
        "Write `scheme:...`, with `{name}` where something varies.",
    ),
    BuildRule(
        "RES102",
        "uri-clash",
        "Two resources or shared states have the same URI or id.",
        "One of them could never be read.",
        "Give one of them another URI, id or key.",
    ),
    BuildRule(
        "RES103",
        "text-inputs",
        "The placeholders of a template and the inputs of its handler differ, or an input is no single piece of text.",
        "A URI and the arguments of a prompt carry text, one piece for each name.",
        "Give the handler one parameter for each placeholder: text, a number, a boolean or a closed set.",
    ),
    BuildRule(
        "SCH101",
        "inexpressible-type",
        "A type has no JSON Schema that says exactly what is accepted.",
        "What cannot be published cannot be enforced.",
        "Use a type that JSON can carry; the message names one.",
    ),
    BuildRule(
        "SCH102",
        "rejected-default",
        "A default does not fit its own type.",
        "Sending the default would be refused, while omitting it would run.",
        "Correct the default, or widen the type (`str | None`).",
    ),
    BuildRule(
        "SCH103",
        "invalid-schema",
        "A raw JSON Schema is invalid, open, or refers to something outside itself.",
        "An open or unresolvable contract lets anything through.",
        "Close every object with `additionalProperties: false` and keep every `$ref` local.",
    ),
    BuildRule(
        "SCH104",
        "unspellable-input",
        "A query input cannot travel in a query string.",
        "Queries are `GET`: scalars, arrays of scalars, and objects one level deep with scalar leaves.",
        "Simplify the input, or make the operation an action.",
    ),
    BuildRule(
        "SCH105",
        "silent-return-type",
        "A return annotation says nothing (`Any`, `object`, bare `dict` or `list`, also as members; None for a query).",
        "A caller cannot rely on an answer of unknown shape.",
        "Name the fields: a model, a dataclass, a TypedDict, or `list[...]` of one.",
    ),
)

RULES: Final[Mapping[str, BuildRule]] = MappingProxyType({rule.code: rule for rule in _RULES})
"""Every build rule by code."""
