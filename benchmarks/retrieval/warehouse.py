"""Ten operations of a warehouse."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from afford import Feature

warehouse = Feature("warehouse", description="Goods on shelves: what comes in, lies there and goes out.")

Sku = Annotated[str, Field(description="Article number, as on the label of the shelf.")]
Quantity = Annotated[int, Field(ge=1, description="How many pieces.")]
OrderId = Annotated[str, Field(description="Number of the customer's order.")]


class Stock(BaseModel):
    sku: str
    location: str
    quantity: int


class Hold(BaseModel):
    hold_id: str
    sku: str
    quantity: int


class Parcel(BaseModel):
    tracking_number: str
    carrier: str


@warehouse.query(
    description="Tell how many pieces of an article there are, on which shelves, and how many of them are promised to "
    "orders already."
)
async def stock_level(
    sku: Sku, site: Annotated[str | None, Field(description="Only this building; all without it.")] = None
) -> list[Stock]: ...


@warehouse.query(
    description="List articles that are running out, with how many days they last at the present rate and how many to "
    "buy. For questions about what has to be reordered from suppliers."
)
async def reorder_report(
    within_days: Annotated[int, Field(ge=1, le=180, description="Articles that last less than this.")] = 14,
) -> list[Stock]: ...


@warehouse.action(
    description="Book goods in that a supplier has delivered. They are on stock at once; what is missing from the "
    "delivery note is claimed from the supplier."
)
async def receive_delivery(
    delivery_note: Annotated[str, Field(description="Number of the supplier's delivery note.")],
    sku: Sku,
    quantity: Quantity,
    expires: Annotated[date | None, Field(description="Best-before date of the batch, where there is one.")] = None,
) -> Stock: ...


@warehouse.action(
    description="Carry pieces from one shelf or building to another. How many there are in all stays the same."
)
async def move_stock(
    sku: Sku,
    quantity: Quantity,
    from_location: Annotated[str, Field(description="Shelf they lie on now.")],
    to_location: Annotated[str, Field(description="Shelf they go to.")],
) -> Stock: ...


@warehouse.action(
    description="Set the recorded number of pieces on a shelf to what was counted there. For stocktaking and for "
    "mistakes in the records; nothing is carried or thrown away."
)
async def correct_count(
    sku: Sku,
    location: Annotated[str, Field(description="Shelf that was counted.")],
    counted: Annotated[int, Field(ge=0, description="How many pieces really lie there.")],
) -> Stock: ...


@warehouse.action(
    description="Write off pieces that are broken, expired or lost, and take them to waste. They are gone from stock "
    "and their value from the books.",
    safety="destructive",
)
async def write_off_stock(
    sku: Sku,
    quantity: Quantity,
    reason: Annotated[Literal["damaged", "expired", "lost", "stolen"], Field(description="What happened to them.")],
) -> Stock: ...


@warehouse.action(
    description="Set pieces aside for a customer's order, so that nobody else is promised them. They stay on their "
    "shelf."
)
async def hold_stock(sku: Sku, quantity: Quantity, order_id: OrderId) -> Hold: ...


@warehouse.action(
    description="Give pieces free again that were set aside for an order, because the order was cancelled or waits for "
    "something else."
)
async def release_hold(
    hold_id: Annotated[str, Field(description="The hold's id, as hold_stock answered it.")],
) -> Hold: ...


@warehouse.query(
    description="List what has to be fetched for the orders of a day, in the order in which one walks along the "
    "shelves."
)
async def pick_list(
    day: Annotated[date | None, Field(description="Day the orders leave; today without it.")] = None,
) -> list[Stock]: ...


@warehouse.action(
    description="Hand a packed order over to a carrier. The pieces leave stock, a label is printed, and the customer "
    "gets the tracking number.",
    risk="high",
)
async def ship_order(
    order_id: OrderId,
    carrier: Annotated[Literal["post", "courier", "freight"], Field(description="Who takes it.")],
    weight_grams: Annotated[int | None, Field(ge=1, description="Weight of the parcel with packing.")] = None,
) -> Parcel: ...
