"""Does a job with FastMCP's client: `python drive_fastmcp.py < job.json > outcomes.json`. See jobs.py."""

from __future__ import annotations

import asyncio
from typing import Any

from driving import MODES, Person, drive
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp_types import PromptReference


def connect(connection: dict[str, Any], person: Person) -> Client[Any]:
    if "url" in connection:
        transport = StreamableHttpTransport(connection["url"], headers=connection["headers"])
    else:
        command, *words = connection["command"]
        transport = StdioTransport(command, words, env=connection["env"], keep_alive=False)

    async def answers(_message: str, _type: object, params: object, context: object) -> object:
        return (await person.answers(context, params)).content

    mode = MODES[connection["era"]]
    return Client(transport, mode=mode, elicitation_handler=answers, message_handler=person.hears)


VERBS = {
    "list_tools": lambda client, _params: client.list_tools_mcp(),
    "call": lambda client, params, report=None: client.call_tool_mcp(
        params["name"], params["arguments"], progress_handler=report
    ),
    "list_resources": lambda client, _params: client.list_resources_mcp(),
    "list_templates": lambda client, _params: client.list_resource_templates_mcp(),
    "read": lambda client, params: client.read_resource_mcp(params["uri"]),
    "list_prompts": lambda client, _params: client.list_prompts_mcp(),
    "get_prompt": lambda client, params: client.get_prompt_mcp(params["name"], params["arguments"]),
    "complete": lambda client, params: client.complete_mcp(
        PromptReference(type="ref/prompt", name=params["prompt"]), params["argument"]
    ),
}

asyncio.run(drive(connect, lambda client: client.session, VERBS))
