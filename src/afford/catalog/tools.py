"""Tools as declarations of operations, which they are in all but where they are served."""

from __future__ import annotations

from afford.catalog.findings import Findings
from afford.declare.operations import OperationDeclaration, OperationOptions, Role
from afford.declare.tools import ToolDeclaration
from afford.declare.vocabulary import Agent, Kind


def as_operation(declaration: ToolDeclaration, findings: Findings, tool_id: str) -> OperationDeclaration:
    """A tool as the declaration of an operation."""
    tool = declaration.tool
    text: object = tool.description
    if not isinstance(text, str) or not text.strip():
        findings.add("DEC123", tool_id, "the tool has no description", location=declaration.location)
    if tool.args is not None and tool.input_schema is not None:
        message = "the tool has `args` and an `input_schema`"
        findings.add("DEC121", tool_id, message, fix="give one of them", location=declaration.location)
    options = OperationOptions(
        description=tool.description,
        agent=Agent() if tool.agent is None else tool.agent,
        raises=tool.raises,
        enabled=tool.enabled,
    )
    if tool.access is not None:
        options["access"] = tool.access
    if tool.safety is not None:
        options["safety"] = tool.safety
    if tool.risk is not None:
        options["risk"] = tool.risk
    if tool.input_schema is not None:
        options["input_schema"] = tool.input_schema
    if tool.output_schema is not None:
        options["output_schema"] = tool.output_schema
    if tool.deadline is not None:
        options["deadline"] = tool.deadline
    return OperationDeclaration(
        kind=Kind.ACTION,
        name=tool.id,
        handler=tool.handler,
        feature=declaration.feature,
        feature_access=declaration.feature_access,
        options=options,
        namespace=declaration.namespace,
        location=declaration.location,
        role=Role.TOOL,
        args=None if tool.args is None or tool.input_schema is not None else tuple(tool.args),
        output=tool.output,
    )
