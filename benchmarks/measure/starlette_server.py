"""The baseline: Starlette routes that read the same query or body and answer the same value through `JSONResponse`.

They check nothing, neither what comes in nor what goes out, and know no caller.
"""

from __future__ import annotations

import json

import hotel_tools
from hotels import MODELS, ROWS
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


def baseline() -> Starlette:
    """The application; a server is started with this name."""
    routes = [
        Route("/echo", echo),
        Route("/search_hotels", search_hotels),
        Route("/search_hotel_models", search_hotel_models),
        Route("/mcp", tools_call, methods=["POST"]),
    ]
    return Starlette(routes=routes)


async def echo(request: Request) -> JSONResponse:
    return JSONResponse([{"message": request.query_params["message"]}])


async def search_hotels(request: Request) -> JSONResponse:
    start, end = _slice(request)
    return JSONResponse(ROWS[start:end])


async def search_hotel_models(request: Request) -> JSONResponse:
    start, end = _slice(request)
    return JSONResponse([row.model_dump(mode="json") for row in MODELS[start:end]])


def _slice(request: Request) -> tuple[int, int]:
    """Where the page starts and ends, after the filters were read as a route would read them."""
    query = request.query_params
    _filters = (
        query.get("neighbourhood"),
        query.get("board"),
        int(query.get("min_stars", 0)),
        query.get("check_in"),
        query.get("currency"),
        query.getlist("amenities[]"),
    )
    start = int(query.get("cursor", 0))
    return start, start + int(query.get("limit", 20))


async def tools_call(request: Request) -> JSONResponse:
    """The answer of an MCP tool call, from the parsed body: which tool, which limit, which id."""
    message = await request.json()
    params = message["params"]
    value = hotel_tools.answer(params["name"], params["arguments"])
    result = {
        "content": [{"type": "text", "text": json.dumps(value, separators=(",", ":"))}],
        "structuredContent": value,
        "isError": False,
        "resultType": "complete",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "hoteling", "title": "hoteling", "version": "0.0.0"}},
    }
    return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "result": result})
