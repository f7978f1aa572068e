"""Everything that the build refuses: each rule provoked alone, all errors at once, each with a way out."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias

import pytest
from pydantic import BaseModel, ConfigDict, Field

from afford import (
    DOC,
    App,
    Ask,
    Call,
    Caller,
    CatalogError,
    DeclarationError,
    Diagnostic,
    Example,
    Feature,
    Identifier,
    Page,
    PageRequest,
    Paging,
    anyone,
    claim,
    roles,
)
from afford.catalog.rules import RULES

MakeApp: TypeAlias = Callable[[], App]
mark = pytest.mark

CASES: Final[list[object]] = []
PROVOKED: Final[set[str]] = set()
TEXT: Final[dict[str, object]] = {"type": "string"}


def closed(**properties: object) -> dict[str, object]:
    return {"type": "object", "additionalProperties": False, "properties": properties, "required": []}


def provokes(code: str, *marks: pytest.MarkDecorator) -> Callable[[MakeApp], MakeApp]:
    """Register an app that must fail to build for exactly one reason."""

    def register(make: MakeApp) -> MakeApp:
        CASES.append(pytest.param(code, make, id=f"{code}-{make.__name__}", marks=marks))
        PROVOKED.add(code)
        return make

    return register


def shop() -> App:
    return App("shop", roles=("guest", "staff"))


def declared(handler: Callable[..., object], kind: str = "query", app: App | None = None, **options: object) -> App:
    app = app or shop()
    options.setdefault("access", anyone())
    getattr(app, kind)(**options)(handler)
    return app


def diagnostics_of(app: App) -> tuple[Diagnostic, ...]:
    with pytest.raises(CatalogError) as raised:
        app.build()
    return raised.value.diagnostics


async def count() -> int:
    return 1


class Widget(BaseModel):
    widget_id: int
    owner_id: str
    name: str = ""


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    widget_id: int


class Anything(BaseModel):
    value: Any


@dataclass
class Deep:
    widget: Widget


class Session:
    """Something that only a provider can make."""


async def widgets() -> list[Widget]:
    return []


async def paged(page: PageRequest[int]) -> Page[Widget]:
    return Page(())


@provokes("ACC101", mark.requirement("ACC-01"))
def an_operation_without_any_access_rule() -> App:
    return declared(count, access=None)


@provokes("ACC101", mark.requirement("ACC-01"))
def a_feature_operation_without_any_access_rule() -> App:
    app, feature = shop(), Feature("widget")
    feature.action()(count)
    app.include(feature)
    return app


@provokes("ACC102", mark.requirement("ACC-03"))
def a_role_that_nobody_can_hold() -> App:
    return declared(count, access=roles("staf"))


@provokes("ACC102", mark.requirement("ACC-03"))
def an_unknown_role_deep_in_a_rule() -> App:
    return declared(count, access=claim("tenant") & (anyone() | ~roles("staf")))


@provokes("ACC102", mark.requirement("ACC-03"))
def an_unknown_role_of_a_screen() -> App:
    app = shop()
    app.screen("desk", type="list", access=roles("staf"))
    return app


@provokes("ACC102", mark.requirement("ACC-03"))
def an_unknown_role_of_a_navigation_entry() -> App:
    app = shop()
    app.nav("desk", label="Desk", access=roles("staf"))
    return app


@provokes("ACC102", mark.requirement("ACC-03"))
def an_unknown_role_that_widens() -> App:
    return declared(widgets, reach="role", owner="owner_id", widens=roles("staf"))


@provokes("ACC103", mark.requirement("ACC-04"))
def a_role_name_where_a_rule_is_wanted() -> App:
    return declared(count, access="staff")


@provokes("ACC103", mark.requirement("ACC-04"))
def an_async_access_rule() -> App:
    async def decide(caller: Caller) -> bool:
        return True

    return declared(count, access=decide)


@provokes("ACC103")
def a_role_name_that_widens() -> App:
    return declared(widgets, reach="role", owner="owner_id", widens="staff")


@provokes("DEC101", mark.requirement("NAME-01", "CASE-K35"))
def an_id_with_a_blank() -> App:
    return declared(count, id="bad name!")


@provokes("DEC101", mark.requirement("NAME-01"))
def an_empty_id() -> App:
    return declared(count, id="")


@provokes("DEC101", mark.requirement("NAME-01"))
def a_lambda_without_an_id() -> App:
    return declared(lambda: 1, output_schema={"type": "integer"})


@provokes("DEC101", mark.requirement("NAME-02", "CASE-K35"))
def a_wire_name_of_two_hundred_characters() -> App:
    return declared(count, id="x" * 200)


@provokes("DEC101", mark.requirement("NAME-01"))
def a_feature_name_with_a_blank() -> App:
    app = shop()
    app.include(Feature("front desk"))
    return app


@provokes("DEC102", mark.requirement("NAME-03", "CASE-K35"))
def names_that_differ_in_case() -> App:
    return declared(count, id="getuser", app=declared(count, id="getUser"))


@provokes("DEC102", mark.requirement("NAME-03", "CASE-K35"))
def two_functions_of_one_name() -> App:
    return declared(count, app=declared(count))


@provokes("DEC102", mark.requirement("NAME-03"))
def ids_with_one_wire_name() -> App:
    app, feature = declared(count, id="widget_list"), Feature("widget", access=anyone())
    feature.query(id="list")(count)
    app.include(feature)
    return app


@provokes("DEC102", mark.requirement("NAME-03"))
def two_features_of_one_name() -> App:
    app = shop()
    app.include(Feature("widget"), Feature("widget"))
    return app


@provokes("DEC103", mark.requirement("NAME-03"))
def the_name_of_a_fixed_route() -> App:
    return declared(count, id="Manifest")


@provokes("DEC103", mark.requirement("NAME-03"))
def the_prefix_of_the_built_ins() -> App:
    return declared(count, id="afford:navigate")


@provokes("DEC104", mark.requirement("BUILD-02", "CASE-K14"))
def a_parameter_without_a_type() -> App:
    async def find(a, b: int = 3) -> int:  # type: ignore[no-untyped-def]
        return b

    return declared(find)


@provokes("DEC105", mark.requirement("BUILD-02", "CASE-K14"))
def a_decorator_that_hides_the_signature() -> App:
    def logged(*args: object, **kwargs: object) -> int:
        return 1

    return declared(logged)


@provokes("DEC105", mark.requirement("BUILD-02"))
def something_that_cannot_be_called() -> App:
    app = shop()
    app.query(id="three", access=anyone())(3)  # type: ignore[type-var]
    return app


@provokes("DEC106", mark.requirement("BUILD-03"))
def a_handler_without_a_return_annotation() -> App:
    async def find(name: str):  # type: ignore[no-untyped-def]
        return name

    return declared(find)


@provokes("DEC107", mark.requirement("BUILD-04"))
def an_annotation_that_names_nothing() -> App:
    async def find(name: Missing) -> int:  # type: ignore[name-defined]  # noqa: F821
        return 1

    return declared(find)


@provokes("DEC108", mark.requirement("BUILD-05"))
def a_parameter_that_no_provider_makes() -> App:
    async def find(db: Session, name: str = "") -> int:
        return 1

    return declared(find)


@provokes("DEC108", mark.requirement("BUILD-05"))
def a_second_parameter_beside_raw_arguments() -> App:
    async def find(arguments: dict[str, object], name: str) -> int:
        return 1

    return declared(find, input_schema=closed(name=TEXT))


@provokes("DEC108", mark.requirement("BUILD-05"))
def a_consent_check_that_takes_what_nobody_sends() -> App:
    async def shared(invitation: str) -> bool:
        return True

    return declared(widgets, reach="consented", consented=shared)


@provokes("DEC109", mark.requirement("BUILD-07"))
def an_input_named_like_the_caller() -> App:
    async def find(user_id: str) -> int:
        return 1

    return declared(find)


@provokes("DEC109", mark.requirement("BUILD-07", "TYPE-05"))
def a_model_field_named_like_the_caller() -> App:
    class Order(BaseModel):
        role: str
        amount: int

    async def order(body: Order) -> int:
        return 1

    return declared(order, "action")


@provokes("DEC109", mark.requirement("BUILD-07", "TYPE-06"))
def a_raw_input_named_like_the_caller() -> App:
    async def find(arguments: dict[str, object]) -> int:
        return 1

    return declared(find, "action", input_schema=closed(principal=TEXT))


@provokes("DEC110", mark.requirement("DECL-05"))
def a_static_with_an_input() -> App:
    async def areas(city: str) -> list[str]:
        return []

    return declared(areas, "static")


@provokes("DEC110", mark.requirement("DECL-05"))
def a_static_that_asks_who_calls() -> App:
    async def areas(caller: Caller) -> list[str]:
        return []

    return declared(areas, "static")


@provokes("DEC110", mark.requirement("DECL-05"))
def a_static_whose_provider_asks_who_calls() -> App:
    def cache(session: Session) -> Widget:
        return Widget(widget_id=1, owner_id="a")

    def session(call: Call) -> Session:
        return Session()

    async def areas(widget: Widget) -> list[str]:
        return []

    app = shop()
    app.provide(Session, session)
    app.provide(Widget, cache)
    return declared(areas, "static", app)


@provokes("DEC110", mark.requirement("DECL-05"))
def a_static_whose_rows_have_an_owner() -> App:
    return declared(widgets, "static", owner="owner_id")


@provokes("DEC111", mark.requirement("DECL-05"))
def an_event_with_a_result() -> App:
    return declared(count, "event")


@provokes("DEC111", mark.requirement("DECL-05"))
def an_event_with_an_output_schema() -> App:
    return declared(count, "event", output_schema=TEXT)


@provokes("DEC112")
def a_page_request_without_a_page() -> App:
    async def find(page: PageRequest[int]) -> list[Widget]:
        return []

    return declared(find)


@provokes("DEC112")
def a_page_without_a_page_request() -> App:
    async def find() -> Page[Widget]:
        return Page(())

    return declared(find)


@provokes("DEC112")
def page_sizes_without_pages() -> App:
    return declared(widgets, paging=Paging())


@provokes("DEC112")
def a_default_size_over_the_largest() -> App:
    return declared(paged, paging=Paging(default=50, max=20))


@provokes("DEC112")
def a_page_size_that_is_no_number() -> App:
    return declared(paged, paging=Paging(default="many"))  # type: ignore[arg-type]


@provokes("DEC112")
def an_action_that_answers_a_page() -> App:
    async def find() -> Page[Widget]:
        return Page(())

    return declared(find, "action")


@provokes("DEC112")
def an_input_that_shadows_the_page() -> App:
    async def find(page: PageRequest[int], limit: int = 10) -> Page[Widget]:
        return Page(())

    return declared(find)


@provokes("DEC113", mark.requirement("EXAM-02"))
def example_arguments_that_the_schema_refuses() -> App:
    async def find(stars: Annotated[int, Field(le=5)]) -> int:
        return stars

    return declared(find, example=Example({"stars": 6}))


@provokes("DEC113", mark.requirement("EXAM-02"))
def an_example_row_that_the_schema_refuses() -> App:
    return declared(widgets, example=Example({}, row={"widget_id": "one", "owner_id": "a", "name": ""}))


@provokes("DEC113", mark.requirement("EXAM-02"))
def an_example_limit_where_nothing_pages() -> App:
    return declared(widgets, example=Example({"limit": 3}))


@provokes("DEC113", mark.requirement("EXAM-02"))
def an_example_limit_that_is_no_integer() -> App:
    return declared(paged, example=Example({"limit": "three"}))


@provokes("DEC113", mark.requirement("EXAM-02"))
def an_example_cursor() -> App:
    return declared(paged, example=Example({"cursor": "abc"}))


@provokes("DEC113", mark.requirement("EXAM-02"))
def an_example_that_is_no_example() -> App:
    return declared(widgets, example={"limit": 3})


@provokes("DEC114", mark.requirement("RISK-03", "BUILD-09"))
def an_unknown_risk() -> App:
    return declared(count, risk="huge")


@provokes("DEC114", mark.requirement("RISK-03", "EXPO-06"))
def an_unknown_risk_in_the_hints() -> App:
    return declared(count, agent={"risk": "huge"})


@provokes("DEC114", mark.requirement("RISK-03"))
def an_exposure_that_is_no_boolean() -> App:
    return declared(count, agent={"expose": "no"})


@provokes("DEC114", mark.requirement("RISK-03"))
def an_exposure_by_number() -> App:
    return declared(count, agent={"expose": 0})


@provokes("DEC114")
def hints_of_another_kind() -> App:
    return declared(count, agent=True)


@provokes("DEC114")
def a_text_for_agents_that_is_none() -> App:
    return declared(count, agent={"description": 3})


@provokes("DEC114", mark.requirement("BUILD-09"))
def an_unknown_reach() -> App:
    return declared(count, reach="world")


@provokes("DEC114", mark.requirement("BUILD-09"))
def an_unknown_safety() -> App:
    return declared(count, safety="safe")


@provokes("DEC114", mark.requirement("DECL-09"))
def an_unknown_surface() -> App:
    return declared(count, agent={"surfaces": ["http", "fax"]})


@provokes("DEC114", mark.requirement("DECL-08"))
def a_switch_that_is_a_word() -> App:
    return declared(count, enabled="no")


@provokes("DEC114")
def a_description_that_is_no_text() -> App:
    return declared(count, description=["Counts."])


@provokes("DEC114", mark.requirement("SCRN-01"))
def an_unknown_type_of_screen() -> App:
    app = shop()
    app.screen("desk", type="wizard")  # type: ignore[arg-type]
    return app


@provokes("DEC115", mark.requirement("SAFE-03"))
def a_destructive_query() -> App:
    return declared(count, safety="destructive")


@provokes("DEC115", mark.requirement("SAFE-03"))
def a_destructive_operation_of_low_risk() -> App:
    return declared(count, "action", safety="destructive", risk="low")


@provokes("DEC116", mark.requirement("BUILD-08"))
def an_operation_about_an_unknown_entity() -> App:
    return declared(count, entity="widget")


@provokes("DEC116", mark.requirement("BUILD-08"))
def a_feature_about_an_unknown_entity() -> App:
    app, feature = shop(), Feature("widget", access=anyone(), entity="widget")
    feature.query()(count)
    app.include(feature)
    return app


@provokes("DEC116", mark.requirement("BUILD-08"))
def a_screen_of_an_unknown_entity() -> App:
    app = shop()
    app.screen("desk", type="list", entity="widget")
    return app


@provokes("DEC116")
def an_entity_declared_twice() -> App:
    app = shop()
    app.entity("widget", Widget)
    app.entity("widget", Deep)
    return app


@provokes("DEC117", mark.requirement("SCRN-04", "BUILD-08"))
def a_navigation_entry_to_no_screen() -> App:
    app = shop()
    app.nav("desk", label="Desk", screen="desk")
    return app


@provokes("DEC117", mark.requirement("SCRN-04", "BUILD-08"))
def a_navigation_entry_below_nothing() -> App:
    app = shop()
    app.nav("desk", label="Desk", parent="menu")
    return app


@provokes("DEC117")
def two_screens_of_one_id() -> App:
    app = shop()
    app.screen("desk", type="list")
    app.screen("desk", type="form")
    return app


@provokes("DEC117")
def two_navigation_entries_of_one_id() -> App:
    app = shop()
    app.nav("desk", label="Desk")
    app.nav("desk", label="Desk again")
    return app


@provokes("DEC118")
def a_problem_code_in_small_letters() -> App:
    app = shop()
    app.problem("room_taken", status=409, title="Taken")
    return app


@provokes("DEC118")
def a_problem_code_used_twice() -> App:
    app = shop()
    app.problem("ROOM_TAKEN", status=409, title="Taken")
    app.problem("ROOM_TAKEN", status=410, title="Gone")
    return app


@provokes("DEC118")
def a_problem_code_of_the_table() -> App:
    app = shop()
    app.problem("NOT_FOUND", status=404, title="Not found")
    return app


@provokes("DEC118")
def a_problem_that_is_a_success() -> App:
    app = shop()
    app.problem("ROOM_TAKEN", status=200, title="Taken")
    return app


@provokes("DEC118")
def a_list_of_problems_that_holds_another_exception() -> App:
    return declared(count, raises=[ValueError])


@provokes("DEC118")
def one_problem_where_a_list_is_wanted() -> App:
    app = shop()
    taken = app.problem("ROOM_TAKEN", status=409, title="Taken")
    return declared(count, app=app, raises=taken)


@provokes("DEC119", mark.requirement("DECL-08"))
def a_denial_that_misses() -> App:
    app = App("shop", deny=["cuont"])
    return declared(count, app=app)


@provokes("DEC120", mark.requirement("BUILD-05"))
def a_provider_that_needs_what_nothing_provides() -> App:
    def session(widget: Widget) -> Session:
        return Session()

    app = shop()
    app.provide(Session, session)
    return app


@provokes("DEC120", mark.requirement("BUILD-05"))
def a_provider_that_waits_for_itself() -> App:
    def session(session: Session) -> Session:
        return session

    app = shop()
    app.provide(Session, session)
    return app


@provokes("DEC120", mark.requirement("BUILD-05"))
def an_app_scoped_provider_that_needs_the_call() -> App:
    def session(call: Call) -> Session:
        return Session()

    app = shop()
    app.provide(Session, session, scope="app")
    return app


@provokes("DEC120", mark.requirement("BUILD-05"))
def a_type_provided_twice() -> App:
    app = shop()
    app.provide(Session, Session)
    app.provide(Session, Session)
    return app


@provokes("DEC121", mark.requirement("DESC-02"))
def params_on_an_operation() -> App:
    return declared(count, params={"name": "the name"})


@provokes("DEC121")
def a_misspelt_option() -> App:
    return declared(count, descripton="Counts.")


@provokes("DEC121", mark.requirement("EXPO-06"))
def a_misspelt_hint() -> App:
    return declared(count, agent={"exposed": False})


@provokes("DEC122", mark.requirement("DECL-06"))
def a_docstring_that_is_not_there() -> App:
    return declared(count, description=DOC)


@provokes("DEC123", mark.requirement("BUILD-10"))
def a_tool_without_a_description() -> App:
    app = App("shop", access=anyone())
    app.tool("sweep", handler=lambda: "done", description=" ")
    return app


@provokes("DEC105", mark.requirement("BUILD-10"))
def a_tool_with_more_types_than_parameters() -> App:
    app = App("shop", access=anyone())
    app.tool("add", handler=lambda one: one, description="Add.", args=[int, int])
    return app


@provokes("DEC105", mark.requirement("BUILD-10"))
def a_tool_with_fewer_types_than_parameters() -> App:
    app = App("shop", access=anyone())
    app.tool("add", handler=lambda one, other: one + other, description="Add.", args=[int])
    return app


@provokes("DEC102", mark.requirement("BUILD-10"))
def a_tool_with_the_name_of_an_operation() -> App:
    app = declared(widgets)
    app.tool("Widgets", handler=lambda: "done", description="Sweep.", access=anyone())
    return app


@provokes("ACC101", mark.requirement("BUILD-10"))
def a_resource_without_an_access_rule() -> App:
    app = App("shop")
    app.resource("notes", name="Notes", read=lambda: "text")
    return app


@provokes("RES101", mark.requirement("BUILD-10"))
def a_resource_whose_uri_is_no_uri() -> App:
    app = App("shop", access=anyone())
    app.resource("notes", name="Notes", read=lambda: "text", uri="notes")
    return app


@provokes("RES101", mark.requirement("BUILD-10"))
def a_resource_whose_template_cannot_be_read() -> App:
    app = App("shop", access=anyone())
    app.resource("notes", name="Notes", read=lambda: "text", uri_template="notes://{+path}")
    return app


@provokes("RES102", mark.requirement("BUILD-10"))
def two_resources_under_one_uri() -> App:
    app = App("shop", access=anyone())
    app.resource("one", name="One", read=lambda: "text", uri="notes://all")
    app.resource("two", name="Two", read=lambda: "text", uri="notes://all")
    return app


@provokes("RES102", mark.requirement("BUILD-10"))
def two_shared_states_under_one_key() -> App:
    app = App("shop", access=anyone())
    app.shared_state("count", 1)
    app.shared_state("count", 2)
    return app


@provokes("RES103", mark.requirement("BUILD-10"))
def a_template_that_names_what_its_handler_does_not_take() -> App:
    app = App("shop", access=anyone())
    app.resource("notes", name="Notes", read=lambda title: title, uri_template="notes://{owner}/{title}")
    return app


@provokes("RES103", mark.requirement("BUILD-10"))
def a_prompt_with_an_argument_that_is_no_text() -> App:
    def plan(cities: list[str]) -> str:
        return ", ".join(cities)

    app = App("shop", access=anyone())
    app.prompt("plan", handler=plan)
    return app


@provokes("RES103", mark.requirement("BUILD-10"))
def a_completion_of_an_argument_that_does_not_exist() -> App:
    app = App("shop", access=anyone())
    app.prompt("plan", handler=lambda city: city, complete={"country": lambda typed: []})
    return app


@provokes("ASK101", mark.requirement("BUILD-10"))
def a_question_that_no_form_can_show() -> App:
    class Trip(BaseModel):
        stops: dict[str, str]

    async def travel(trip: Annotated[Trip, Ask("Where to?")]) -> str:
        return "off"

    return declared(travel, "action")


@provokes("ASK101", mark.requirement("BUILD-10"))
def a_question_that_is_answered_by_no_model() -> App:
    async def travel(city: Annotated[str, Ask("Where to?")]) -> str:
        return city

    return declared(travel, "action")


@provokes("RCH101", mark.requirement("BUILD-09"))
def consented_without_a_check() -> App:
    return declared(widgets, reach="consented")


@provokes("RCH101", mark.requirement("BUILD-09"))
def consented_with_nothing_for_a_check() -> App:
    return declared(widgets, reach="consented", consented=None)


@provokes("RCH101", mark.requirement("BUILD-09"))
def role_without_a_widening_rule() -> App:
    return declared(widgets, reach="role", owner="owner_id")


@provokes("RCH101", mark.requirement("BUILD-09"))
def role_without_an_owner() -> App:
    return declared(widgets, reach="role", widens=roles("staff"))


@provokes("RCH102", mark.requirement("BUILD-08"))
def an_owner_that_the_rows_do_not_have() -> App:
    return declared(widgets, owner="user")


@provokes("RCH102", mark.requirement("BUILD-08"))
def an_owner_that_is_no_field_and_no_function() -> App:
    return declared(widgets, owner=3)


@provokes("RCH103", mark.requirement("REACH-02"))
def published_rows_with_a_login() -> App:
    class Post(BaseModel):
        text: str
        author: Annotated[str, Identifier()]

    async def posts() -> list[Post]:
        return []

    return declared(posts, reach="published")


@provokes("RCH103", mark.requirement("REACH-02"))
def published_rows_with_a_login_further_in() -> App:
    class Account(BaseModel):
        email: Annotated[str, Identifier()]

    class Post(BaseModel):
        text: str
        authors: list[Account]

    async def posts(page: PageRequest[int]) -> Page[Post]:
        return Page(())

    return declared(posts, reach="published")


@provokes("RCH104")
def a_check_that_the_reach_never_asks() -> App:
    async def shared() -> bool:
        return True

    return declared(widgets, consented=shared)


@provokes("RCH104")
def a_widening_rule_that_the_reach_never_asks() -> App:
    return declared(widgets, owner="owner_id", widens=roles("staff"))


@provokes("SCH101", mark.requirement("BUILD-04", "FRAME-59"))
def an_input_type_without_a_schema() -> App:
    async def add(number: complex) -> int:
        return 1

    return declared(add, "action")


@provokes("SCH101", mark.requirement("BUILD-04"))
def an_answer_type_without_a_schema() -> App:
    async def read() -> bytes:
        return b""

    return declared(read)


@provokes("SCH101", mark.requirement("BUILD-04"))
def an_open_model_alone() -> App:
    async def add(body: Open) -> int:
        return 1

    return declared(add, "action")


@provokes("SCH101", mark.requirement("BUILD-04"))
def an_open_model_among_others() -> App:
    async def add(body: Open, name: str) -> int:
        return 1

    return declared(add, "action")


@provokes("SCH101", mark.requirement("BUILD-04"))
def an_open_model_in_the_answer() -> App:
    async def read() -> list[Open]:
        return []

    return declared(read)


@provokes("SCH101", mark.requirement("BUILD-04", "CASE-K13"))
def an_input_that_says_nothing() -> App:
    async def find(name: object = object()) -> int:
        return 1

    return declared(find)


@provokes("SCH101", mark.requirement("CASE-K21"))
def two_inputs_of_one_published_name() -> App:
    async def find(first: Annotated[int, Field(alias="second")], second: int) -> int:
        return first + second

    return declared(find)


@provokes("SCH101", mark.requirement("BUILD-04"))
def an_entity_without_a_schema() -> App:
    app = shop()
    app.entity("widget", Session)
    return app


@provokes("SCH102", mark.requirement("CASE-K13"))
def none_for_a_text() -> App:
    async def find(name: str = None) -> int:  # type: ignore[assignment]  # noqa: RUF013 - the default is the case
        return 1

    return declared(find)


@provokes("SCH102", mark.requirement("CASE-K13"))
def not_a_number_for_a_number() -> App:
    async def find(price: float = float("nan")) -> int:
        return 1

    return declared(find)


@provokes("SCH102", mark.requirement("CASE-K13"))
def a_default_over_its_own_bound() -> App:
    async def find(n: int = 5, top: Annotated[int, Field(le=3)] = 10) -> int:
        return n

    return declared(find)


@provokes("SCH103", mark.requirement("BUILD-04", "TYPE-06"))
def an_open_raw_input_schema() -> App:
    async def find(arguments: dict[str, object]) -> int:
        return 1

    return declared(find, input_schema={"type": "object", "properties": {"name": TEXT}})


@provokes("SCH103", mark.requirement("BUILD-04", "TYPE-06"))
def an_open_raw_output_schema() -> App:
    return declared(count, "action", output_schema={"type": "object", "properties": {"name": TEXT}})


@provokes("SCH103", mark.requirement("BUILD-06"))
def a_reference_to_another_document() -> App:
    async def find(arguments: dict[str, object]) -> int:
        return 1

    elsewhere = {"$ref": "https://schemas.example/widget.json"}
    return declared(find, "action", input_schema=closed(widget=elsewhere))


@provokes("SCH103", mark.requirement("BUILD-06"))
def a_reference_that_leads_nowhere() -> App:
    return declared(count, output_schema={"type": "array", "items": {"$ref": "#/$defs/widget"}})


@provokes("SCH104", mark.requirement("QRY-02"))
def a_query_with_a_list_of_objects() -> App:
    async def find(widgets: list[Widget]) -> int:
        return 1

    return declared(find)


@provokes("SCH104", mark.requirement("QRY-02"))
def a_query_with_two_levels() -> App:
    async def find(deep: Deep, name: str = "") -> int:
        return 1

    return declared(find)


@provokes("SCH104", mark.requirement("QRY-02"))
def a_query_with_an_open_map() -> App:
    async def find(labels: dict[str, str]) -> int:
        return 1

    return declared(find)


@provokes("SCH104", mark.requirement("QRY-02"))
def a_query_input_with_two_spellings() -> App:
    async def find(key: int | str) -> int:
        return 1

    return declared(find)


@provokes("SCH105", mark.requirement("BUILD-03"))
def an_answer_of_any_kind() -> App:
    async def read() -> Any:
        return 1

    return declared(read)


@provokes("SCH105", mark.requirement("BUILD-03"))
def an_answer_of_bare_dicts() -> App:
    async def read() -> list[dict]:  # type: ignore[type-arg]
        return []

    return declared(read)


@provokes("SCH105", mark.requirement("BUILD-03"))
def an_answer_of_dicts_of_anything() -> App:
    async def read() -> dict[str, Any] | None:
        return None

    return declared(read, "action")


@provokes("SCH105", mark.requirement("BUILD-03"))
def a_bare_list_that_a_write_answers() -> App:
    async def read() -> Sequence[object]:
        return ()

    return declared(read, "action")


@provokes("SCH105", mark.requirement("BUILD-03"))
def a_page_of_unknown_rows() -> App:
    async def read(page: PageRequest[int]) -> Page:  # type: ignore[type-arg]
        return Page(())

    return declared(read)


@provokes("SCH105", mark.requirement("BUILD-03", "ANS-01"))
def a_query_that_answers_nothing() -> App:
    async def read() -> None: ...

    return declared(read)


@pytest.mark.requirement("BUILD-01")
@pytest.mark.parametrize(("code", "make"), CASES)
def test_a_mistake_is_reported_under_its_own_rule_and_no_other(code: str, make: MakeApp) -> None:
    assert {found.code for found in diagnostics_of(make())} == {code}


@pytest.mark.requirement("BUILD-01")
@pytest.mark.parametrize(("code", "make"), CASES)
def test_a_mistake_says_where_it_is_and_ends_with_a_way_out(code: str, make: MakeApp) -> None:
    for found in diagnostics_of(make()):
        assert found.subject.strip()
        assert found.message.strip()
        assert found.fix.strip()
        assert str(found).startswith(f"{code} {found.subject}")
        assert str(found).endswith(found.fix)
        assert "\n" not in str(found)
        assert " at 0x" not in str(found)


@pytest.mark.requirement("BUILD-01")
def test_every_build_rule_is_provoked() -> None:
    assert set(RULES) == PROVOKED


@pytest.mark.requirement("BUILD-01")
def test_every_build_rule_says_what_is_wrong_and_why_and_what_to_do() -> None:
    assert {
        code for code, rule in RULES.items() if rule.code != code or not (rule.what and rule.why and rule.fix)
    } == set()
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


@pytest.mark.requirement("BUILD-01")
def test_all_mistakes_of_all_operations_are_raised_at_once() -> None:
    async def find(name, user_id: str) -> int:  # type: ignore[no-untyped-def]
        return 1

    async def drop(user_id: str, number: complex) -> Any:
        return 1

    app = declared(find, access=roles("staf"), risk="huge")
    declared(drop, "action", app, id="drop it", entity="widget")
    found = [(item.subject, item.code) for item in diagnostics_of(app)]
    assert found == sorted(found)
    assert set(found) == {
        ("drop it", "DEC101"),
        ("drop it", "DEC116"),
        ("drop it", "SCH101"),
        ("drop it", "SCH105"),
        ("find", "ACC102"),
        ("find", "DEC104"),
        ("find", "DEC114"),
    }


@pytest.mark.requirement("BUILD-01")
def test_the_error_names_file_and_line_of_the_declaration() -> None:
    app = declared(count, access=None)
    (found,) = diagnostics_of(app)
    assert found.location == f"test_build_errors.py:{count.__code__.co_firstlineno}"
    assert found.location in str(found)


@pytest.mark.requirement("BUILD-01")
def test_an_app_that_does_not_build_serves_nothing() -> None:
    app = declared(count, access=None)
    for use in (app.build, app.asgi, app.manifest, functools.partial(app.explain, "count")):
        with pytest.raises(CatalogError):
            use()


@pytest.mark.requirement("CASE-K14", "BUILD-02")
def test_the_parameter_without_a_type_is_named() -> None:
    (found,) = diagnostics_of(a_parameter_without_a_type())
    assert found.subject == "find"
    assert "`a`" in found.message


@pytest.mark.requirement("CASE-K14", "BUILD-02")
def test_a_wrapper_that_keeps_the_signature_is_no_mistake() -> None:
    def logged(handler: Callable[..., object]) -> Callable[..., object]:
        @functools.wraps(handler)
        def wrapper(*args: object, **kwargs: object) -> object:
            return handler(*args, **kwargs)

        return wrapper

    def rename(widget_id: int, name: str) -> Widget:
        return Widget(widget_id=widget_id, owner_id="a", name=name)

    app = declared(logged(rename), "action")
    assert app.build().operations["rename"].input.schema["required"] == ["widget_id", "name"]


@pytest.mark.requirement("CASE-K13")
def test_a_none_that_its_type_refuses_is_mended_by_one_line() -> None:
    (found,) = diagnostics_of(none_for_a_text())
    assert "`name`" in found.message
    assert "| None" in found.fix

    async def find(name: str | None = None) -> int:
        return 1

    assert declared(find).build().operations["find"].input.schema["required"] == []


@pytest.mark.requirement("ACC-03")
@pytest.mark.parametrize(
    "make",
    [a_role_that_nobody_can_hold, an_unknown_role_of_a_screen, an_unknown_role_that_widens],
)
def test_an_unknown_role_is_told_the_nearest_one(make: MakeApp) -> None:
    (found,) = diagnostics_of(make())
    assert "`staf`" in found.message
    assert "`staff`" in found.fix


@pytest.mark.requirement("DESC-02")
def test_params_are_refused_with_the_place_where_names_belong() -> None:
    (found,) = diagnostics_of(params_on_an_operation())
    assert "input schema" in found.fix


@pytest.mark.requirement("BUILD-07")
def test_an_input_named_like_the_caller_is_allowed_by_name() -> None:
    async def assign(user_id: str, role: Literal["cook", "waiter"]) -> None: ...

    app = declared(assign, "action", allow_identity_argument=True)
    assert set(app.build().operations["assign"].input.schema["properties"]) == {"user_id", "role"}  # type: ignore[arg-type]


@pytest.mark.requirement("EXAM-02")
def test_an_example_limit_is_fine_where_pages_are() -> None:
    app = declared(paged, example=Example({"limit": 3}))
    assert app.build().operations["paged"].examples[0].params == {"limit": 3}


@pytest.mark.requirement("QRY-02")
@pytest.mark.parametrize(
    "make",
    [
        a_query_with_a_list_of_objects,
        a_query_with_two_levels,
        a_query_with_an_open_map,
        a_query_input_with_two_spellings,
    ],
)
def test_what_a_query_string_cannot_carry_is_fine_for_an_action(make: MakeApp) -> None:
    refused = make()
    app = shop()
    for item in refused.declarations.operations:
        app.action(access=anyone())(item.handler)
    assert set(app.build().operations) == {found.subject for found in diagnostics_of(refused)}


@pytest.mark.parametrize("option", ["roles", "deny", "allowed_hosts", "allowed_origins"])
def test_one_name_where_an_app_takes_several_is_refused(option: str) -> None:
    with pytest.raises(DeclarationError):
        App("shop", **{option: "staff"})  # type: ignore[arg-type]


def test_an_option_that_no_app_has_is_refused() -> None:
    with pytest.raises(DeclarationError):
        App("shop", role=("staff",))  # type: ignore[call-arg]


@pytest.mark.parametrize("values", [(["north"],), ({"north"},), ({},)])
def test_a_claim_is_compared_with_single_values_only(values: tuple[object, ...]) -> None:
    with pytest.raises(TypeError):
        claim("tenant", *values)
