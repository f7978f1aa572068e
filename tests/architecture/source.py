"""The package as text and syntax trees, for tests about its shape. Imports nothing of the package itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "afford"

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Module:
    name: str
    path: Path
    text: str
    tree: ast.Module


@dataclass(frozen=True, slots=True)
class Function:
    label: str
    """`module:Class.method`, as failure messages and exemptions name it."""
    node: FunctionNode
    is_method: bool


@cache
def modules() -> tuple[Module, ...]:
    return tuple(_module(path) for path in sorted(PACKAGE.rglob("*.py")))


def functions() -> Iterator[Function]:
    for module in modules():
        yield from _functions(module.tree, f"{module.name}:", in_class=False)


def body_lines(function: FunctionNode) -> int:
    """Lines from the first statement after the docstring to the last."""
    statements = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    if not statements:
        return 0
    return (statements[-1].end_lineno or 0) - statements[0].lineno + 1


def parameters(function: Function) -> list[str]:
    """Names a caller may pass, without `self` and `cls`, `*args` and `**kwargs`."""
    arguments = function.node.args
    positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    is_static = any(isinstance(item, ast.Name) and item.id == "staticmethod" for item in function.node.decorator_list)
    if function.is_method and not is_static:
        positional = positional[1:]
    return [*positional, *(argument.arg for argument in arguments.kwonlyargs)]


def _module(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Module(name=name, path=path, text=text, tree=ast.parse(text, filename=str(path)))


def _functions(node: ast.AST, prefix: str, *, in_class: bool) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FunctionNode):
            yield Function(label=f"{prefix}{child.name}", node=child, is_method=in_class)
            yield from _functions(child, f"{prefix}{child.name}.", in_class=False)
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.", in_class=True)
        else:
            yield from _functions(child, prefix, in_class=in_class)
