"""An app with every kind of input, state that calls change, and texts that would be markup if anybody let them."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from afford import DOC, App, Ask, Caller, NotFoundError, anyone, roles

HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"

app = App("workshop", title=f"Workshop {HOSTILE}", roles=["smith"], access=anyone())
forge = app.shared_state("forge", {"degrees": 20}, description=f"How hot it is. {HOSTILE}")


class Size(BaseModel):
    """How large a piece is."""

    width: Annotated[int, Field(ge=1, description="Millimetres.")]
    unit: Literal["mm", "cm"] = "mm"


class Round(BaseModel):
    shape: Literal["round"]
    radius: int


class Square(BaseModel):
    shape: Literal["square"]
    side: int


class Signature(BaseModel):
    name: Annotated[str, Field(min_length=1, description="Who signs.")]


class Piece(BaseModel):
    piece_id: int
    note: Annotated[str, Field(description=f"A note. {HOSTILE}")]


app.entity("piece", Piece, description=f"A piece of metal. {HOSTILE}")


class Wish(BaseModel):
    name: Annotated[str, Field(min_length=2, description=f"What it is called. {HOSTILE}")]
    size: Size
    metal: Literal["iron", "steel"]
    outline: Annotated[Round | Square, Field(description="Its outline.")]
    marks: Annotated[list[str], Field(description="Marks on it.")] = Field(default_factory=list)
    due: date | None = None
    polished: bool = False
    weight: float | None = None


class Forged(BaseModel):
    wish: Wish
    by: str | None
    echo: str


@app.action(description=DOC, entity="piece")
def forge_piece(caller: Caller, wish: Wish) -> Forged:
    """Forge one piece to somebody's wish, for the shelf of the workshop."""
    return Forged(wish=wish, by=caller.id, echo=HOSTILE)


@app.action(description="Heat the forge by some degrees, for everybody who works at it.")
def heat(by: int = 100) -> int:
    return forge.update(lambda now: {"degrees": now["degrees"] + by})["degrees"]


@app.action(description="Sign for the pieces of the day, in the name of a person who is asked.", access=roles("smith"))
def sign(signature: Annotated[Signature, Ask("Who signs for today?")]) -> str:
    return f"signed by {signature.name}"


@app.query(description="List nothing, since all was sold before noon.", entity="piece")
def shelf() -> list[Piece]:
    raise NotFoundError(f"sold out {HOSTILE}", fix=HOSTILE)


@app.query(description="Break while working, as some operations do.")
def breaks() -> list[Piece]:
    raise RuntimeError("hammer")


app.tool("ring_bell", handler=lambda: "ding", description="Ring the bell when work is done.")
app.prompt("plan", description="Plans a day.", handler=lambda hours: f"Plan {hours} hours.")
app.resource("sheet", name="Sheet", description="One sheet.", uri_template="workshop://sheets/{number}",
             read=lambda number: f"Sheet {number}")  # fmt: skip
