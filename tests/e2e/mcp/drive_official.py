"""Does a job with the official Python client: `python drive_official.py < job.json > outcomes.json`. See jobs.py."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx2
from driving import MODES, PATIENCE, Person, drive
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import PromptReference


@asynccontextmanager
async def connect(connection: dict[str, Any], person: Person) -> AsyncIterator[Client]:
    async with AsyncExitStack() as stack:
        if "url" in connection:
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=connection["headers"], timeout=PATIENCE))
            server = streamable_http_client(connection["url"], http_client=http)
        else:
            command, *words = connection["command"]
            server = StdioServerParameters(command=command, args=words, env=connection["env"])
        mode = MODES[connection["era"]]
        client = Client(server, mode=mode, elicitation_callback=person.answers, message_handler=person.hears)
        yield await stack.enter_async_context(client)


VERBS = {
    "list_tools": lambda client, _params: client.list_tools(),
    "call": lambda client, params, report=None: client.call_tool(
        params["name"], params["arguments"], progress_callback=report
    ),
    "list_resources": lambda client, _params: client.list_resources(),
    "list_templates": lambda client, _params: client.list_resource_templates(),
    "read": lambda client, params: client.read_resource(params["uri"]),
    "list_prompts": lambda client, _params: client.list_prompts(),
    "get_prompt": lambda client, params: client.get_prompt(params["name"], params["arguments"]),
    "complete": lambda client, params: client.complete(
        PromptReference(type="ref/prompt", name=params["prompt"]), params["argument"]
    ),
}

asyncio.run(drive(connect, lambda client: client.session, VERBS))
