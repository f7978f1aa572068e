"""A shop as a catalog describes it, and a link that answers for it: whole, or with one thing wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from afford.cold.replies import Meter, Refusal, Reply
from afford.cold.report import Finding
from afford.cold.run import Allow
from afford.cold.session import Aims, ColdRun, Plan
from afford.errors import JsonObject, JsonValue
from afford.lint.judging import faults_of
from afford.lint.samples import closed, rows
from afford.lint.target import Described, Form, Origin, Pages, Target, target

ITEM = closed(
    {
        "item_id": {"type": "integer", "description": "The item."},
        "name": {"type": "string", "description": "What it is called."},
    },
    "item_id",
    "name",
)
LIST = Described(
    name="list_items",
    description="Find things that are sold.",
    served="Find things that are sold. The next page is where Link leads.",
    reads=True,
    safety="read",
    input_schema=closed(
        {
            "size": {"type": "string", "enum": ["small", "big"], "description": "How big."},
            "least": {"type": "integer", "minimum": 0, "maximum": 50, "description": "Cheapest, in cents."},
        }
    ),
    output_schema=rows(ITEM),
    pages=Pages(default=4, most=4, form=Form.LINK),
    example_params={"size": "small"},
)
DETAIL = Described(
    name="get_item",
    description="Read one thing.",
    reads=True,
    safety="read",
    input_schema=closed({"item_id": {"type": "integer", "minimum": 1, "description": "From list_items."}}, "item_id"),
    output_schema=rows(ITEM),
    example_params={"item_id": 3},
)
BUY = Described(
    name="buy",
    description="Buy one thing.",
    reads=False,
    safety="action",
    risk="mid",
    input_schema=closed({"item_id": {"type": "integer", "minimum": 1, "description": "From list_items."}}, "item_id"),
    output_schema=closed({"order_id": {"type": "string", "description": "The order."}}, "order_id"),
    example_params={"item_id": 3},
)
BURN = Described(
    name="burn",
    description="Burn the order for good.",
    reads=False,
    safety="destructive",
    risk="high",
    input_schema=closed({"order_id": {"type": "string", "description": "From buy."}}, "order_id"),
    output_schema=closed({"order_id": {"type": "string", "description": "The order."}}, "order_id"),
    example_params={"order_id": "o-1"},
)
SHOP = target(Origin.CATALOG, LIST, DETAIL, BUY, BURN, name="shop")
STOCK: list[JsonValue] = [{"item_id": number, "name": f"thing {number}"} for number in range(1, 8)]

Spoil = Callable[[str, JsonObject, Reply], Reply]
"""What is wrong with the server: takes operation, arguments and the right reply."""


def as_it_is(_name: str, _arguments: JsonObject, reply: Reply) -> Reply:
    return reply


def answered(name: str, arguments: JsonObject, limit: int | None, start: int) -> Reply:
    """The right reply."""
    operation = SHOP.find(name)
    assert operation is not None
    schema = operation.input_schema or {}
    faults = faults_of(schema, schema, arguments)
    if faults:
        documents = tuple(fault.document() for fault in faults)
        return Reply(refusal=Refusal(code="bad_request", message="it does not fit", faults=documents, status=400))
    if name == "list_items":
        end = start + min(limit or 4, 4)
        following = str(end) if end < len(STOCK) else None
        return Reply(value=STOCK[start:end], following=following, total=len(STOCK))
    if name == "get_item":
        found = [row for row in STOCK if isinstance(row, dict) and row["item_id"] == arguments["item_id"]]
        gone = Reply(refusal=Refusal(code="not_found", message="there is no such item", status=404))
        return Reply(value=[*found]) if found else gone
    return Reply(value={"order_id": "o-1"})


@dataclass(slots=True)
class Shop:
    """The link to it, which remembers what was called."""

    spoil: Spoil = as_it_is
    calls: list[tuple[str, JsonObject]] = field(default_factory=list[tuple[str, JsonObject]])

    async def call(self, operation: Described, arguments: JsonObject, limit: int | None = None) -> Reply:
        self.calls.append((operation.name, arguments))
        return self.spoil(operation.name, arguments, answered(operation.name, arguments, limit, 0))

    async def follow(self, operation: Described, arguments: JsonObject, limit: int | None, place: str) -> Reply:
        self.calls.append((operation.name, arguments))
        return self.spoil(operation.name, arguments, answered(operation.name, arguments, limit, int(place)))

    def spells(self, operation: Described, arguments: JsonObject) -> bool:
        return True

    def called(self, name: str) -> list[JsonObject]:
        return [arguments for called, arguments in self.calls if called == name]


def silent(_calls: int, _operation: str) -> None:
    """No progress."""


async def tried(
    shop: Shop,
    catalog: Target = SHOP,
    *,
    allow: Allow = Allow.READS,
    most_calls: int = 1000,
    ablate: bool = False,
    aims: Aims | None = None,
) -> ColdRun:
    """A whole run."""
    plan = Plan(allow=allow, most_calls=most_calls, ablate=ablate)
    run = ColdRun(catalog, shop, plan, aims or Aims(), silent)
    await run.run()
    return run


def failures(run: ColdRun) -> set[tuple[str, str]]:
    """Operation and check of what failed."""
    return {(item.operation, item.check.value) for item in run.report().failures}


def meter(shop: Shop) -> Meter:
    return Meter(shop, 1000, 5.0, silent)


def told(findings: tuple[Finding, ...]) -> str:
    return "\n".join(item.message for item in findings)
