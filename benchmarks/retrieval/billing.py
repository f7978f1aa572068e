"""Ten operations of an accounts receivable office."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from afford import Feature

billing = Feature("billing", description="Invoices to customers, and what they have paid.")

InvoiceNumber = Annotated[str, Field(description="Number printed on the invoice, such as 2026-0417.")]
Cents = Annotated[int, Field(ge=1, description="Amount in cents.")]


class Invoice(BaseModel):
    invoice_number: str
    customer: str
    total_cents: int
    status: str


class Payment(BaseModel):
    payment_id: str
    amount_cents: int


class Debt(BaseModel):
    customer: str
    due_cents: int
    days_late: int


@billing.query(
    description="Find invoices by customer, state or date. For lists and for finding the number of an invoice; "
    "read_invoice tells what is on one."
)
async def search_invoices(
    customer: Annotated[str | None, Field(description="Name of the customer, or part of it.")] = None,
    status: Annotated[
        Literal["draft", "sent", "paid", "void"] | None, Field(description="Only invoices in this state.")
    ] = None,
    since: Annotated[date | None, Field(description="Issued on this day or later.")] = None,
) -> list[Invoice]: ...


@billing.query(
    description="Read one invoice with lines, taxes, due date and the payments received for it. For what a customer "
    "was charged for, and how much of it is still open."
)
async def read_invoice(invoice_number: InvoiceNumber) -> Invoice | None: ...


@billing.action(
    description="Prepare a bill for a customer. It is a draft that can be changed, and the customer sees nothing of it "
    "before send_invoice."
)
async def draft_invoice(
    customer: Annotated[str, Field(description="Who is to pay.")],
    lines: Annotated[list[str], Field(description="What is billed, one line each, with quantity and unit price.")],
    due: Annotated[date | None, Field(description="Last day for payment; thirty days unless said.")] = None,
) -> Invoice: ...


@billing.action(
    description="Issue a drafted invoice and e-mail it to the customer. From then on it is in the books and cannot be "
    "changed."
)
async def send_invoice(invoice_number: InvoiceNumber) -> Invoice: ...


@billing.action(
    description="Dun a customer for an invoice that is past its due date: a friendly note the first time, then firmer "
    "ones, with a late fee from the third."
)
async def send_reminder(invoice_number: InvoiceNumber) -> None: ...


@billing.action(
    description="Enter money that came in for an invoice: by transfer, card, cheque or cash. When the whole amount is "
    "covered, the invoice is settled."
)
async def record_payment(
    invoice_number: InvoiceNumber,
    amount_cents: Cents,
    method: Annotated[Literal["transfer", "card", "cheque", "cash"], Field(description="How it was paid.")],
    received: Annotated[date | None, Field(description="Day the money arrived; today unless said.")] = None,
) -> Payment: ...


@billing.action(
    description="Send money back to a customer who has paid, in whole or in part, by the way it came. The bank moves "
    "the money today.",
    safety="destructive",
)
async def refund_payment(
    payment_id: Annotated[str, Field(description="The payment's id, as read_invoice lists it.")], amount_cents: Cents
) -> Payment: ...


@billing.action(
    description="Declare an unpaid invoice void, because it was issued by mistake. Its number stays in the books, "
    "nothing is owed, and no money moves.",
    safety="destructive",
)
async def void_invoice(
    invoice_number: InvoiceNumber, reason: Annotated[str, Field(description="Why, for the auditors.")]
) -> Invoice: ...


@billing.action(
    description="Lower what a customer owes on an invoice that stays valid, for returned goods or an agreed discount. "
    "It makes a document of its own and is set off against the next payment."
)
async def issue_credit_note(
    invoice_number: InvoiceNumber,
    amount_cents: Cents,
    reason: Annotated[str, Field(description="What the customer reads on the credit note.")],
) -> Invoice: ...


@billing.query(
    description="Report who owes how much, grouped by how long it is overdue: up to 30 days, 60, 90 and beyond. For "
    "questions about outstanding debt over all customers."
)
async def aging_report(
    as_of: Annotated[date | None, Field(description="Day the debts are counted on; today unless said.")] = None,
) -> list[Debt]: ...
