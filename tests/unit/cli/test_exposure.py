"""What serving an app would open, and to whom."""

from __future__ import annotations

from typing import Annotated

import pytest

from afford import Agent, App, Caller, Choices, Door, Tool, anyone, roles, signed_in
from afford.cli.exposure import audiences, decided_by_code, open_door_findings


async def load_areas() -> list[str]:
    return ["north"]


def make_app(**options: object) -> App:
    app = App("shop", access=anyone(), **options)  # type: ignore[arg-type]

    @app.query(description="Read.")
    def read() -> list[str]:
        return []

    @app.action(description="Write.")
    def write() -> None: ...

    return app


def found(app: App, host: str, door: Door = Door.AGENT) -> list[str]:
    return [item.id for item in open_door_findings(app, host, door)]


@pytest.mark.requirement("CASE-K06")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "shop.example"])  # noqa: S104 - the point of the test
def test_a_write_for_anybody_is_an_open_door_where_others_reach_it(host: str) -> None:
    assert found(make_app(), host) == ["write"]


@pytest.mark.requirement("CASE-K06")
@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.53", "localhost", "::1", "[::1]"])
def test_loopback_is_no_open_door(host: str) -> None:
    assert found(make_app(), host) == []


@pytest.mark.parametrize("options", [{"public": True}, {"authenticate": lambda _request: None}])
def test_intent_or_authentication_closes_the_question(options: dict[str, object]) -> None:
    assert found(make_app(**options), "0.0.0.0") == []  # noqa: S104 - the point of the test


@pytest.mark.requirement("CASE-K06")
def test_tools_count_by_what_they_do_and_where_agents_reach_them() -> None:
    app = App("shop", access=anyone())
    app.shared_state("mood", "fine")
    app.tool("look", handler=load_areas, description="Look.", safety="read")
    assert found(app, "0.0.0.0") == []  # noqa: S104 - the point of the test

    app = App("shop", access=anyone())
    app.tool("sweep", handler=load_areas, description="Sweep.")
    app.tool_provider(lambda _caller: [Tool(id="dust", handler=load_areas, description="Dust.")])
    assert found(app, "0.0.0.0") == ["dust", "sweep"]  # noqa: S104 - the point of the test
    assert found(app, "0.0.0.0", Door.APP) == []  # noqa: S104 - the point of the test


def test_only_what_strangers_may_call_through_the_door_counts() -> None:
    app = App("shop")

    @app.action(description="Write.", access=signed_in())
    def guarded() -> None: ...

    @app.action(access=anyone())
    def hidden() -> None: ...

    assert found(app, "0.0.0.0") == []  # noqa: S104 - the point of the test
    assert found(app, "0.0.0.0", Door.APP) == ["hidden"]  # noqa: S104 - the point of the test


def test_a_write_that_is_off_or_not_loaded_now_counts_as_one_that_may_come_on() -> None:
    app = App("shop", access=anyone())

    @app.action(description="Switched.", enabled=lambda: False)
    def switched() -> None: ...

    @app.action(description="Waits for its choices.")
    def waits(area: Annotated[str, Choices(load_areas)]) -> None: ...

    @app.action(description="Off for good.", enabled=False)
    def off() -> None: ...

    assert found(app, "0.0.0.0") == ["switched", "waits"]  # noqa: S104 - the point of the test


def test_audiences_are_counted_for_strangers_accounts_and_roles() -> None:
    asked: list[Caller] = []

    def by_code(caller: Caller) -> bool:
        asked.append(caller)
        return True

    app = App("shop", roles=("guest", "staff"), authenticate=lambda _request: None)

    @app.query(description="Read.", access=anyone())
    def read() -> list[str]:
        return []

    @app.query(description="Own.", access=signed_in())
    def own() -> list[str]:
        return []

    @app.query(description="Staff.", access=roles("staff"))
    def staff() -> list[str]:
        return []

    @app.query(description="Hidden.", access=anyone(), agent=Agent(expose=False))
    def hidden() -> list[str]:
        return []

    @app.query(description="By code.", access=by_code)
    def judged() -> list[str]:
        return []

    app.tool("sweep", handler=load_areas, description="Sweep.", access=roles("staff"))

    counts = {item.who: (item.operations, item.tools) for item in audiences(app, Door.AGENT)}
    assert counts == {"anonymous": (1, 0), "signed in": (2, 0), "role guest": (2, 0), "role staff": (3, 1)}
    counts = {item.who: (item.operations, item.tools) for item in audiences(app, Door.APP)}
    assert (counts["anonymous"], counts["role staff"]) == ((2, 0), (4, 0))
    assert decided_by_code(app) == 1
    assert asked == []


def test_without_authentication_there_are_only_strangers() -> None:
    assert [item.who for item in audiences(make_app(), Door.AGENT)] == ["anonymous"]
