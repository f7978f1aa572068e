"""Questions and content over plain HTTP, which can put none to a person and carries values alone."""

from __future__ import annotations

from typing import Annotated

import jsonschema_rs
import pytest
from pydantic import BaseModel
from tests.contracts.wire import served

from afford import App, Ask, Embedded, Image, Result, anyone


class Consent(BaseModel):
    agreed: bool


def desk(ran: list[str]) -> App:
    app = App("desk", access=anyone())

    @app.query(description="Read a file.")
    def file(number: int, consent: Annotated[Consent, Ask("May file {number} be opened?")]) -> list[str]:
        ran.append("file")
        return []

    @app.action(description="Burn a file.")
    def burn(number: int, consent: Annotated[Consent, Ask("May file {number} be burnt?")]) -> str:
        ran.append("burn")
        return "burnt"

    @app.query(description="See a file.")
    def scan() -> Image:
        return Image(b"...")

    @app.action(description="Send a file.")
    def send() -> Image | Embedded:
        return Embedded("desk://file", b"...", "application/pdf")

    @app.query(description="Describe a file.")
    def describe() -> Result[str]:
        return Result("thick", [Image(b"...")])

    return app


@pytest.mark.requirement("ASK-01")
@pytest.mark.parametrize(
    ("method", "path", "body"), [("GET", "/file?number=3", None), ("POST", "/burn", {"number": 3})]
)
async def test_what_a_person_has_to_answer_is_428_and_runs_nothing(method: str, path: str, body: object) -> None:
    ran: list[str] = []
    async with served(desk(ran).asgi()) as http:
        answer = await http.request(method, path, json=body)
        document = (await http.get("/openapi.json")).json()
    assert answer.status_code == 428
    problem = answer.json()
    assert (problem["code"], problem["status"], problem.get("retryable")) == ("input_required", 428, None)
    assert "file 3" in problem["detail"]
    assert problem["fix"]
    assert ran == []
    operation = document["paths"][path.partition("?")[0]][method.lower()]
    assert "input_required" in operation["responses"]["428"]["$ref"]


@pytest.mark.requirement("ASK-01")
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/file?number=three", None),
        ("POST", "/burn", {"number": "three"}),
        ("POST", "/burn", {"number": 3, "consent": {"agreed": True}}),
        ("POST", "/burn", {"number": 3, "agreed": True}),
    ],
)
async def test_arguments_are_judged_first_and_none_of_them_consents_for_a_person(
    method: str, path: str, body: object
) -> None:
    ran: list[str] = []
    async with served(desk(ran).asgi()) as http:
        answer = await http.request(method, path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert ran == []


@pytest.mark.parametrize(
    ("method", "name", "value"),
    [
        ("GET", "scan", [{"type": "image", "mime_type": "image/png", "data": "Li4u"}]),
        (
            "POST",
            "send",
            {"type": "resource", "uri": "desk://file", "mime_type": "application/pdf", "data": "Li4u"},
        ),
        ("GET", "describe", ["thick"]),
    ],
)
async def test_content_travels_as_the_json_that_is_published(method: str, name: str, value: object) -> None:
    async with served(desk([]).asgi()) as http:
        answer = await http.request(method, f"/{name}")
        catalog = (await http.get("/schema")).json()
    assert (answer.status_code, answer.json()) == (200, value)
    descriptors = {item["name"]: item for item in (*catalog["queries"], *catalog["actions"])}
    jsonschema_rs.Draft202012Validator(descriptors[name]["output_schema"]).validate(value)
