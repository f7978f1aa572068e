"""What the project promises, one entry per behaviour, each with where it comes from and when it is due.

A test names the entry it proves: `@pytest.mark.requirement("HTTP-12")`. `tests/architecture/test_requirements.py`
compares both sides. Entries whose stage is not one of `BUILT` are known and not built yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

Source: TypeAlias = Literal["handler-slots document", "agent-native document", "descriptor house style", "design"]
Stage: TypeAlias = Literal[
    "foundation", "mcp", "tools", "resources", "state", "prompts", "elicitation", "enforcement", "lint", "cold", "lock",
    "dev", "devserver", "console", "connector", "webmcp",
]  # fmt: skip

BUILT: Final[frozenset[Stage]] = frozenset(
    {
        "foundation",
        "mcp",
        "tools",
        "resources",
        "state",
        "prompts",
        "elicitation",
        "cold",
        "lock",
        "connector",
        "devserver",
        "console",
    }
)
"""Stages whose promises are due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    id: str
    source: Source
    text: str
    stage: Stage = "foundation"

    @property
    def covered_later(self) -> bool:
        """Whether no test has to name it yet."""
        return self.stage not in BUILT


def _entries(source: Source, stage: Stage, texts: Mapping[str, str]) -> dict[str, Requirement]:
    return {key: Requirement(id=key, source=source, text=text, stage=stage) for key, text in texts.items()}


_EXPOSURE = {
    "EXPO-01": "An operation with neither description nor `expose` is in no agent's manifest.",
    "EXPO-02": "A description alone is enough to expose an operation.",
    "EXPO-03": "`expose=True` exposes an operation that has no description; its published description is empty.",
    "EXPO-04": "`expose=False` hides an operation in spite of its description.",
    "EXPO-05": "The access rule is asked as well: an exposed operation appears only for callers whom it allows.",
    "EXPO-06": "The `agent` hints may be an `Agent` or a mapping, and mean the same in both forms.",
    "RISK-01": "Without a stated risk, reads are `low`, writes `mid` and destructive operations `high`.",
    "RISK-02": "A stated risk is kept whatever the kind of the operation, and does not touch exposure.",
    "RISK-03": "A risk outside `low`, `mid` and `high`, or an `expose` that is no boolean, is refused.",
    "SCRN-01": "A screen is visible with or without a description unless it says `expose=False`.",
    "SCRN-02": "A hidden screen takes the navigation entries that point at it along.",
    "GAP-01": "An app with documentation gaps starts and logs one warning for each; one without gaps logs none.",
    "GAP-02": "`find_agent_doc_gaps` answers the same gaps on demand, sorted.",
    "GAP-03": "A handler without a description that was not excluded by `expose=False` is a gap.",
    "GAP-04": "A `custom` screen without a description that did not opt out is a gap.",
    "GAP-05": "An undescribed entity is a gap when an operation that agents may see reaches it.",
    "GAP-06": "High risk adds no gap rule of its own.",
}

_AGENT_NATIVE = {
    "SAFE-01": "Safety is inferred: queries and statics read, actions and events act.",
    "SAFE-02": "A stated safety wins over the inferred one.",
    "ERR-01": "A coded problem raised by a handler reaches the caller as data: code, message, fix and docs.",
    "DECL-01": "Operations are private until they are opted in, one by one.",
}

_HOUSE_STYLE = {
    "DESC-01": "Every descriptor has a name, a description, an input schema and an output schema.",
    "DESC-02": "A descriptor with a `params` key is refused by the published descriptor schema, null included, and "
    "an operation that declares `params` fails the build.",
    "DESC-03": "The served catalog validates against the JSON Schema published for it.",
    "DESC-04": "The catalog lists reads under `queries` and writes under `actions`.",
    "SCH-01": "An input schema is a closed object with `properties` and `required`, also where there are no inputs.",
    "SCH-02": "An argument that the schema does not declare is refused with 400 before the handler runs, by name.",
    "SCH-03": "Descriptions, enums, bounds, defaults, patterns and formats of the inputs are in the published schema.",
    "SCH-04": "`required` lists exactly the inputs without a default.",
    "SCH-05": "A closed set may be derived from data, and one snapshot serves catalog and validation.",
    "SCH-06": "A value outside a closed set is 400 and names the valid ones; a filter that matches nothing: 200 `[]`.",
    "SCH-07": "Every output field has a type in the output schema, and its description survives.",
    "QRY-01": "A query string carries scalars, arrays of scalars (`n[]=`) and objects one level deep (`o[k]=`).",
    "QRY-02": "A query whose inputs cannot travel in a query string fails the build, which says to make it an action.",
    "PAGE-01": "HTTP queries accept `limit` and `cursor` although no schema declares them.",
    "PAGE-02": "A query that declares the pair itself is honoured, and OpenAPI then publishes its own pair.",
    "PAGE-03": "The description of a paging query states page size, clamp and how to walk on; afford writes that.",
    "PAGE-04": 'A page is the same bare array as a full answer; `Link rel="next"` leads on, no link means complete.',
    "PAGE-05": "`X-Total-Count` carries the total where it is known.",
    "PAGE-06": "A limit outside the range is clamped; one that is no integer is 400.",
    "ANS-01": "A query answers a JSON array, a detail query one of one element, and the output schema says so.",
    "ANS-02": "An action answers its own JSON value, `null` where it has none.",
    "REACH-01": "Without a stated reach an operation is `principal`, and the descriptor says which reach it has.",
    "REACH-02": "`published` rows that carry what an account logs in with fail the build.",
    "REACH-03": "A `consented` operation answers 403 to a caller without the artefact.",
    "REACH-04": "A `role` operation holds callers without the widening role to their own rows.",
    "EXAM-01": "Example arguments and an example row are published with the operation.",
    "EXAM-02": "An example that contradicts a schema fails the build; `limit` is allowed where pages are.",
    "TEXT-01": "Text that users wrote is marked in the published schema.",
}

_DECLARING = {
    "DECL-02": "A decorator returns the author's function unchanged.",
    "DECL-03": "A feature needs no app, and including it prefixes its operations with its name.",
    "DECL-04": "Declaring after the build, or using a decorator without parentheses, is refused where it stands.",
    "DECL-05": "A `static` is computed once per catalog epoch, an `event` answers nothing but that it ran.",
    "DECL-06": "A docstring exposes nothing, unless the description is `DOC`: then its first paragraph is the text.",
    "DECL-07": "`agent.description` replaces the text for agents and for nobody else.",
    "DECL-08": "`deny` and `enabled` remove an operation for every caller on every door.",
    "DECL-09": "`agent.surfaces` limits the surfaces through which agents reach an operation.",
    "NAME-01": "An id has segments of letters, digits, `_` and `-`, joined by colons; anything else fails the build.",
    "NAME-02": "The wire name replaces `:` by `_`, has at most 64 characters and is the same on every surface.",
    "NAME-03": "Equal wire names, also equal but for case, fail the build, as do reserved names.",
    "NAME-04": "Every list is sorted by wire name in code point order.",
    "ACC-01": "An operation without an access rule, its own or a default, fails the build.",
    "ACC-02": "The rule of the operation wins over the feature's, and that over the app's.",
    "ACC-03": "A role that the app does not declare fails the build, with a suggestion.",
    "ACC-04": "Rules are data: roles, claims, signed in, anyone, combined by `&`, `|` and `~`.",
    "ACC-05": "A callable rule is asked each time, and one that raises refuses the whole rule.",
    "ACC-06": "An operation outside the caller's manifest answers exactly like one that does not exist.",
    "ACC-07": "For every caller the operations listed are the operations that can be called, on every surface.",
    "ACC-08": "`explain` names the first gate that keeps an operation from a caller.",
    "ACC-09": "Roles that a credential brings and the app does not declare are dropped.",
    "ACC-10": "The app door asks access alone, and refuses agent credentials.",
    "SAFE-03": "A destructive query and a destructive operation of low risk fail the build.",
    "MAN-01": "The manifest lists operations with kind, description, risk, safety, reach, entity, schemas, examples.",
    "MAN-02": "The manifest names the roles it was built for.",
    "MAN-03": "Entities are listed where a listed operation reaches them, one reference away at most.",
    "MAN-04": "The order of declaring and including does not change the manifest.",
    "MAN-05": "Tools and resources are listed apart from operations, alike on every surface, and never from memory.",
    "SCRN-03": "A screen's access rule decides who sees it; a screen without one is open.",
    "SCRN-04": "A navigation entry that points at no screen fails the build.",
    "GAP-07": "`afford check` reports the same gaps as the function and the start.",
    "BUILD-01": "All build errors are raised at once, each naming the operation, the rule and a fix.",
    "BUILD-02": "An unannotated parameter and a signature that hides its names (`*args`) fail the build.",
    "BUILD-03": "A missing return annotation, and one that says nothing, fail the build.",
    "BUILD-04": "A type that has no JSON Schema fails the build, as does an open model or an open raw schema.",
    "BUILD-05": "A parameter that is neither an input nor provided fails the build.",
    "BUILD-06": "A schema reference that is not local fails the build.",
    "BUILD-07": "An input named like the caller fails the build unless the author allows it by name.",
    "BUILD-08": "An owner, an entity or another target that does not exist fails the build.",
    "BUILD-09": "A reach, safety or kind outside its words fails the build, as do `consented` and `role` without "
    "what they need.",
    "BUILD-10": "A tool, resource, shared state, prompt or question that clients could not use fails the build.",
}

_TYPES = {
    "TYPE-01": "Published objects are closed at every depth, in and out, and carry no generated titles.",
    "TYPE-02": "`T | None = None` is published as an optional `T`; an explicit null for it counts as omitted.",
    "TYPE-03": "Instants need an offset, and dates, times and durations have one spelling each.",
    "TYPE-04": "Integers beyond 2^53 are refused in both directions, `NaN` and infinities always.",
    "TYPE-05": "A single model parameter is unwrapped: its fields are the inputs.",
    "TYPE-06": "Raw JSON Schema is accepted for either side and enforced as published.",
    "TYPE-07": "What the published schema accepts, the decoder converts; only the author's validators may refuse.",
    "TYPE-08": "Every default validates, and sending it equals omitting it.",
    "TYPE-09": "A refusal by the author's validator is `bad_request` with the fault `rule` at its field.",
    "TYPE-10": "Secrets are published as text and shown in no record.",
    "OUT-01": "Models, dataclasses, dicts and ORM rows are dumped alike, by the declared type.",
    "OUT-02": "A detail query that answers None is `not_found`.",
    "OUT-03": "Fields excluded from publication reach no caller.",
    "PAGE-07": "A cursor is bound to operation, filters and caller; a foreign or forged one is 400.",
    "PAGE-08": "Following the links from the first page yields every row exactly once.",
    "REACH-05": "A `principal` query about to return somebody else's row fails closed; ownerless rows pass.",
    "REACH-06": "The owner field can be excluded from publication and is still checked.",
}

_RUNNING = {
    "INJ-01": "Parameters injected by type are in no schema and cannot be sent.",
    "INJ-02": "Providers may be functions, generators or context managers, sync or async, per call or per app.",
    "INJ-03": "The call scope closes after the output was checked and learns whether the contract held.",
    "INJ-04": "Overrides replace a provider in tests and only there.",
    "INJ-05": "A plain `def` handler runs off the event loop.",
    "INJ-06": "The lifespan runs once under a server, in tests, and when mounted without wiring.",
    "EXEC-01": "The executor takes a manifest: what is not listed cannot be run.",
    "EXEC-02": "A handler over its deadline is cancelled and answers `timeout`.",
    "EXEC-03": "A declared problem has its own code and status; one that the operation does not list is `internal`.",
    "EXEC-04": "An exception after the handler, in dumping or encoding, is contained like one in the handler.",
    "ERR-02": "One table gives each code its status, rendering, exit code and retryability.",
    "ERR-03": "All faults of a request are in one answer, each with pointer, code and, where known, a suggestion.",
    "AUTH-01": "Bad credentials are 401 with `WWW-Authenticate` before anything is looked up.",
    "AUTH-02": "No credentials mean the anonymous manifest.",
    "AUTH-03": "When the anonymous manifest is empty and authentication exists, every path answers the same 401.",
    "AUTH-04": "A bearer JWT is accepted only with a valid signature, issuer, audience, expiry and subject.",
    "AUTH-05": "API keys are held as digests and appear in no log or text.",
    "AUTH-06": "Several authenticators are asked in order; one that breaks lets nobody in.",
}

_HTTP = {
    "HTTP-01": "Queries are served by `GET`, actions by `POST`; another method is 405 with `Allow`; `HEAD` works.",
    "HTTP-02": "Catalog, manifest and OpenAPI are filtered for the caller, private, and vary on what was read.",
    "HTTP-03": 'With `catalog="public"` every exposed operation is in one shared document.',
    "HTTP-04": "Documents carry a strong `ETag`, and a matching condition answers 304.",
    "HTTP-05": "The OpenAPI 3.1 document is valid and describes what is served, declared problems included.",
    "HTTP-06": "Health answers liveness and readiness.",
    "HTTP-07": "The discovery documents at the origin's root name every URL.",
    "HTTP-08": "Each type has one spelling in a query string; every other spelling is 400.",
    "HTTP-09": "A repeated scalar, bad percent-encoding and a mixed bracket shape are 400.",
    "HTTP-10": "A body is one JSON object or empty; duplicate keys, `NaN` and deep nesting are 400.",
    "HTTP-11": "An oversize body is 413, another media type 415.",
    "HTTP-12": "An error is `application/problem+json` whose members are absent where they say nothing.",
    "HTTP-13": "The app door requires JSON, and an Origin match where the credential came in a cookie.",
    "HTTP-14": "CORS is off unless origins are listed.",
    "HTTP-15": "The next link is relative to the request, or absolute with a public URL.",
    "HTTP-16": "The paths of surfaces still to come are reserved and run no operation.",
}

_OWN_PROGRAM = {
    "CLI-01": "Commands exit 0 when fine, 1 on findings or a failed call, 2 on wrong usage, and each explains itself.",
    "CLI-02": "A target is `module:attribute` or a file that holds one app.",
    "CLI-03": "`check` builds the app and reports build errors and gaps.",
    "CLI-04": "`serve` mounts the app and answers until it is stopped.",
    "CLI-05": "`manifest`, `schema` and `openapi` print the documents that the server serves.",
    "CLI-06": "`call` runs an operation as a stated identity, anonymous without one.",
    "CLI-07": "`why` says which gate keeps an operation from a caller.",
    "CLI-08": "`afford manifest` and `afford why` cover tools, resources, shared state and prompts.",
    "CLI-09": "`afford call` asks what a person has to answer on a terminal, takes it by `--answer`, else refuses.",
    "CLI-10": "`afford call` asks before it runs what is destructive or of high risk; refuses where nobody can say.",
    "CLI-11": "`afford call` calls what is served behind an address with the answers that an app in the process gives.",
    "CLI-12": "`afford call --all` follows the pages to the end, and keeps what it read where a later page fails.",
    "CLI-13": "`afford call` draws rows as tables on a terminal, in which no text of an answer steers the terminal.",
    "CLI-14": "Shells complete targets, operations, arguments and the values of closed sets.",
    "EXM-01": "A developer tool: real builds on change, state, palette, gateway and coded diagnostics, heard of live.",
    "LIB-01": "The testing client gives the same answers over the executor, HTTP, MCP in both eras and stdio.",
    "LIB-02": "`mount_on` adds the root documents to a host application and composes lifespans.",
    "LIB-03": "Importing the package loads no web framework, server, driver or command line.",
}

_CASES = {
    "CASE-K01": "A module's unexposed operation and its plain helper are on no list, and a call to either answers like "
    "a name that never was.",
    "CASE-K02": "An operation kept to one surface is unknown on the others.",
    "CASE-K04": "Three kinds of callers get three lists, each in an order that no hash seed changes, and a hidden name "
    "answers like a misspelt one.",
    "CASE-K06": "A write open to anonymous callers does not start on a public address; loopback does.",
    "CASE-K08": "Risk and safety are published for every operation, stated or not.",
    "CASE-K13": "A default that its own schema rejects fails the build and names the fix.",
    "CASE-K14": "No contract, no operation: unannotated parameters and lost signatures fail the build.",
    "CASE-K17": "Money has one wire form, a decimal string that keeps its places; other forms are refused with it.",
    "CASE-K21": "Two places for one input name, and a body that is a list, either work on every surface or fail the "
    "build.",
    "CASE-K22": "A misspelt optional argument, nested too, is refused with the name that was meant.",
    "CASE-K23": "JSON inside a string is refused with a hint for a list or object, and left alone for a string.",
    "CASE-K25": "Nothing is coerced: only a number equal to an integer passes for one.",
    "CASE-K27": "The text of a crash is on no surface; the answer has an id that finds it in the log.",
    "CASE-K28": "A value outside the published output schema never reaches the wire; the answer is `output_contract`.",
    "CASE-K32": "Retryable, retry after and status agree for busy, forbidden and conflicting outcomes.",
    "CASE-K35": "Bad, over-long and doubled names fail the build.",
    "CASE-K38": "Mounted under any prefix, with a trailing slash or behind a prefix-stripping proxy, it works unwired.",
    "CASE-K39": "A foreign Host is 421, a foreign Origin 403, before the handler; allowed names pass with their port.",
}

_HINTS = {
    "KUM-01": "Neither description nor hints: not exposed.",
    "KUM-02": "Description only: exposed.",
    "KUM-03": "`expose=True` without text: exposed, description empty.",
    "KUM-04": "`expose=False` with text: hidden.",
    "KUM-05": "Default risk: low for a query, mid for a write.",
    "KUM-06": "Explicit risk on either kind is kept, whatever `expose` says.",
    "KUM-07": "Risk set, `expose` unset, text present: exposed with that risk.",
    "KUM-08": "Hints in the mapping form survive to the manifest.",
    "KUM-09": "Hints in the object form give the same result as the mapping form.",
    "KUM-25": "Three undescribed handlers give exactly three gaps in sorted order.",
    "KUM-26": "A described handler is no gap.",
    "KUM-27": "A handler with `expose=False` is no gap, at high risk neither.",
    "KUM-28": "`expose=True` without text is one gap that says it is exposed, not that it is invisible.",
    "KUM-29": "Blank text is a gap.",
    "KUM-30": "An exposed operation whose types have no schema is reported with its id.",
    "KUM-31": "A custom screen without text is one gap under its id.",
    "KUM-32": "A custom screen with text, or with `expose=False`, is no gap.",
    "KUM-33": "A custom screen with `expose=True` and no text is still a gap.",
    "KUM-34": "A screen of another type without text is no gap.",
    "KUM-35": "An undescribed entity reached by two exposed operations is one gap.",
    "KUM-36": "An entity whose only operation opted out is no gap.",
    "KUM-37": "An entity reached only by a query is a gap.",
    "KUM-38": "An entity is reported under its raw name, in the spelling it was declared with.",
    "KUM-39": "A fully described app has no gaps.",
    "KUM-40": "Gaps are sorted by what they are about.",
    "KUM-41": "A gap names its subject; a screen's names both remedies.",
    "KUM-42": "An app with gaps starts and warns; one without is silent.",
    "KUM-43": "A high-risk handler is a gap only when undescribed, and then the ordinary one.",
}

_FRAME = {
    "FRAME-01": "A plain tool is listed with its title, and acts unless it says otherwise.",
    "FRAME-02": "Whatever joins the tools is told to clients once.",
    "FRAME-03": "A tool with a blank description is refused.",
    "FRAME-04": "A tool with the name of another tool or operation is refused.",
    "FRAME-05": "What was registered can be taken back, and then it is gone and clients are told.",
    "FRAME-06": "An exposed operation is a tool of the same name, with its title and safety.",
    "FRAME-07": "An operation that was not opted in is on no list.",
    "FRAME-08": "Safety follows from the kind: queries and statics read, actions and events act, plain tools act.",
    "FRAME-09": "Tools that join while the app runs are announced.",
    "FRAME-10": "A tool's handler gets exactly the arguments that were sent.",
    "FRAME-11": "Positional arguments reach the handler by their position.",
    "FRAME-12": "Calling or reading what does not exist is refused with the name that was asked for.",
    "FRAME-13": "A resource has a URI made from its id, and a second one under it is refused.",
    "FRAME-14": "A tool's types of positional arguments, or else its own schema, are what is published.",
    "FRAME-15": "A provider's tools follow their source in every list and call.",
    "FRAME-16": "A declared tool wins over a provided one of its name, which is listed once.",
    "FRAME-17": "A provider's handle announces once each time, and is silent after it was taken back.",
    "FRAME-18": "Positional arguments are read from `arg0`, `arg1` and so on, and from nothing else.",
    "FRAME-20": "Wire names hold letters, digits, `_` and `-`, and have a longest length.",
    "FRAME-21": "A listed tool has its description and the hints that follow from its safety.",
    "FRAME-22": "The published properties of positional arguments are named like the ones that are taken.",
    "FRAME-23": "An id with colons is listed under its wire name alone, and called by it.",
    "FRAME-24": "Of two ids with one wire name no list has both.",
    "FRAME-25": "An object answer is the same as text and as structured content.",
    "FRAME-26": "An answer that is no object is wrapped in one, so that any tool has structured content.",
    "FRAME-27": "Values beyond JSON have one written form or are refused, and never break an answer.",
    "FRAME-28": "A tool that raises answers a failed result.",
    "FRAME-29": "A resource is listed and read over MCP, with its media type.",
    "FRAME-30": "Shared state is a resource under its percent-encoded key.",
    "FRAME-31": "The state tool answers the keys, one value, or that there is none, and only reads.",
    "FRAME-32": "With shared state switched off there is no state tool.",
    "FRAME-33": "A filter decides key by key, for the list, the tool and the resource.",
    "FRAME-34": "Reading hidden state directly answers like reading what does not exist.",
    "FRAME-35": "Any answer becomes JSON text or a coded refusal.",
    "FRAME-36": "A failure is one JSON object: code, message, fix and docs where there are any.",
    "FRAME-37": "The input schema follows from the types, and an optional input is not required.",
    "FRAME-38": "The output schema follows from the type, and is left out where nothing is known.",
    "FRAME-39": "The MCP endpoint is advertised where it is served.",
    "FRAME-40": "A session's id is issued, and lists and calls work in it.",
    "FRAME-41": "A session that was deleted is unknown.",
    "FRAME-42": "A foreign Origin is refused at the MCP endpoint.",
    "FRAME-43": "Mounted in another application, the MCP endpoint answers.",
    "FRAME-49": "Each command explains itself.",
    "FRAME-53": "Commands of the application become tools, with their arguments.",
    "FRAME-54": "Arguments for a tool without inputs are refused.",
    "FRAME-55": "A tool follows the command that it was made from, and goes with it.",
    "FRAME-58": "One endpoint serves the tools of all features, and reserved ids are refused.",
    "FRAME-59": "What an agent may call has a JSON contract, or the build fails.",
    "FRAME-60": "What an app provides is made once, and made again after it failed.",
    "FRAME-61": "Each value is judged by its published schema, both ways, and the place of a fault is named.",
    "FRAME-62": "What has no JSON form never reaches the wire.",
    "FRAME-63": "Shared values are immutable for their readers, and a change is told once.",
    "FRAME-64": "Loopback origins and listed ones pass, lookalikes do not.",
    "FRAME-66": "A feature's name stands before the ids declared on it.",
}

_FRAME_LATER = {
    "FRAME-19": "The console lists, calls and reads what agents are offered.",
    "FRAME-44": "A running app leaves a record of itself, and takes it away.",
    "FRAME-45": "A record that cannot be read is passed over.",
    "FRAME-46": "Of two records of one port the newer is kept.",
    "FRAME-47": "The record of a process that is gone is removed, and others are kept.",
    "FRAME-48": "The development server leaves its record while it runs.",
    "FRAME-50": "The connector finds a running app and passes a call on.",
    "FRAME-51": "The connector's refusal names the port, and how to list what runs.",
    "FRAME-52": "Several apps behind one endpoint show their tools, commands and state together.",
    "FRAME-56": "A group of commands is no tool.",
    "FRAME-57": "Commands with one id are refused, wherever they come from.",
    "FRAME-65": "The console calls reads only, and says why it refuses the rest.",
}

_LATER_CASES = {
    **_entries("design", "mcp", {
        "CASE-K03": "Over stdio, no identity means anonymous: nothing is listed or run that needs a role.",
        "CASE-K30": "An over-long result is cut at a row, stays valid, and says how to get the rest.",
    }),
    **_entries("design", "lint", {
        "CASE-K07": "A free-form passthrough cannot claim to read, and is reported.",
        "CASE-K36": "Descriptions that clients cut and catalogs that cost too much are reported.",
    }),
    **_entries("design", "enforcement", {
        "CASE-K10": "No argument consents for a person, and an approval holds for the arguments that were shown.",
        "CASE-K11": "One idempotency key has one effect; another payload under it is a conflict.",
        "CASE-K12": "A preview has no effect, and is an error where none is declared.",
    }),
}  # fmt: skip

_LATER = {
    **_entries("agent-native document", "mcp", {
        "MCP-01": "`afford mcp` serves the app's agent surface on stdio and prints protocol frames only.",
        "MCP-02": "The dev and production servers offer the same surface as Streamable HTTP.",
        "MCP-03": "Safety becomes the read-only and destructive hints of a tool.",
        "MCP-04": "A failure is a tool result with code, message, fix and docs as JSON.",
        "MCP-05": "The official conformance suite finds failing only what is not claimed, in every claimed revision.",
        "MCP-06": "Other people's clients list, call, page and are refused alike, in both eras, over HTTP and stdio.",
        "MCP-07": "A header that repeats the body and says something else is refused.",
        "MCP-08": "Pictures, sound and documents travel as content blocks, and as JSON over HTTP.",
        "HARD-01": "A message that is malformed, oversized or of another kind is refused on MCP, and nothing runs.",
        "HARD-02": "A client that vanishes cancels its call, which rolls back; a handler costs its own call only.",
        "HARD-03": "Whatever clients send and providers hand out, what a server remembers is bounded.",
        "SECRET-01": "What is hidden from a caller is in no text, suggestion, completion or search over MCP.",
        "SECRET-02": "An answer counts for the question, call and caller that it was given for, and for one action.",
        "SECRET-03": "A URI leads to nothing outside the place that its document is in, however it is encoded.",
        "SECRET-04": "What a client makes up is not repeated at length, and writes no line of a log.",
        "LISTEN-01": "A client that listens is told each change of what it asked for, however many others listen.",
        "LISTEN-02": "Who listens is bounded, as is what one client follows; who vanishes is forgotten.",
        "LISTEN-03": "A client that reads slowly holds up no other, and is told equal news once.",
        "LISTEN-04": "A server that stops ends every stream with a result.",
        "LISTEN-05": "A client hears of a change only where what it may see is different, switches included.",
    }),
    **_entries("design", "mcp", {
        "DEFER-01": "A tool list over its budget defers: tools left out are found by a search and callable by name.",
        "DEFER-02": "A search finds only what its caller may call, and a call through it answers like a direct one.",
    }),
    **_entries("design", "mcp", {
        "SESS-01": "An older client over HTTP keeps a session: progress, cancellation, questions, and news of changes.",
        "SESS-02": "A session serves nobody but who opened it, and each request what its own caller is offered.",
        "SESS-03": "Sessions are bounded in number and idle time, and end with the application.",
        "SESS-04": "The official package is loaded for the first session and for nothing else.",
        "STDIO-01": "A line on stdio that is no request is refused by itself, and the next one is served.",
        "STDIO-02": "A call that is cancelled on stdio is stopped, and nothing more is said of it.",
        "STDIO-03": "When the input ends, calls have a moment to finish, and are then given up.",
        "STDIO-04": "Progress comes ahead of the answer and never after it.",
        "STDIO-05": "The first request that is served chooses the era of a stdio process; the other is refused.",
        "STDIO-06": "What an application prints and reads touches neither of the protocol's pipes.",
    }),
    **_entries("agent-native document", "tools", {
        "TOOL-01": "A tool can be registered with no operation behind it.",
        "TOOL-02": "Positional arguments become `arg0`, `arg1`; one object type gives its own properties.",
        "TOOL-03": "A provider is asked when tools are listed or called; nothing is mirrored.",
        "TOOL-04": "A provider's handle tells connected clients that the list changed.",
        "TOOL-05": "A provider that throws loses its own tools and no others.",
        "TOOL-06": "A gateway tool may answer a location and a next step instead of the work.",
    }),
    **_entries("agent-native document", "resources", {
        "RES-01": "A resource is readable under its own URI, with a name, a description and a media type.",
        "RES-02": "A resource's access rule decides who lists and reads it.",
        "RES-03": "A URI template is matched to exactly the values that it was expanded with.",
        "RES-04": "Whoever follows a resource is told that it changed.",
    }),
    **_entries("agent-native document", "state", {
        "STATE-01": "Shared state is visible to agents unless it is opted out, by a switch or by a filter.",
        "STATE-02": "A built-in tool lists the keys and reads one, under the same filter.",
        "STATE-03": "Shared values are isolated and updated atomically; each real change is told once, in order.",
    }),
    **_entries("agent-native document", "dev", {
        "DEV-01": "`afford dev` serves with reload and a console.",
        "DEV-02": "`afford connect` finds running apps and proxies their tools.",
    }),
    **_entries("design", "devserver", {
        "DEV-03": "A developer is told where the app is, whom the token stands for, and what there is to mend.",
        "DEV-04": "The token opens one instance; requests without it are judged as everywhere else.",
        "DEV-05": "Each finished call is shown at the terminal, without its secrets.",
        "DEV-06": "An edit is served anew under the same address, and clients that listen hear of it.",
        "DEV-07": "An edit that does not build or start is reported, and the last good app goes on serving.",
        "DEV-08": "A running call is finished by the reading of the app that began it.",
        "DEV-09": "A child that dies is started again; a parent that dies leaves none behind.",
        "DEV-10": "No connection is refused while one reading of the app takes over from another.",
        "DEV-11": "The development server opens no door that the production server keeps shut.",
        "DEV-12": "An app's own program develops it as well; wrong usage says what to do.",
    }),
    **_entries("design", "console", {
        "CONS-01": "Without a rule and without a development token there is no console, and its path is unknown.",
        "CONS-02": "Whom the rule refuses is answered as on an unknown path, and nobody acts as somebody else.",
        "CONS-03": "The token of a development instance opens the console, and acts as whoever is chosen.",
        "CONS-04": "What the console says is offered, and why not, is what the manifest says.",
        "CONS-05": "The page's files come with their types, entity tags and a policy that allows nothing from outside.",
        "CONS-06": "Finished calls are kept in a ring, redacted, and told to open pages as they happen.",
        "CONS-07": "In a browser every page works, a call can be made by hand, and what changes is shown at once.",
        "CONS-08": "The page is usable by keyboard and has no violation that axe-core finds, dark or light.",
        "CONS-09": "Texts of an application are shown as text, whatever they hold.",
        "CONS-10": "A page that looks on keeps a bounded number of calls, and so does the server.",
    }),
    **_entries("agent-native document", "lint", {
        "LINT-01": "A description that opens with what it returns rather than when to call it is reported.",
        "LINT-02": "A description that says nothing of freshness or cost where it matters is reported.",
    }),
    **_entries("descriptor house style", "lint", {
        "LINT-03": "A description that names an input, a type, a unit, a range or a default is reported.",
        "LINT-04": "A search that does not tell to filter, and a write that names no follow-on, are reported.",
        "LINT-05": "A row id that no operation takes under the same name is reported.",
        "LINT-06": "Text that addresses the assistant's own policy or the protocol's gates is reported anywhere.",
        "LINT-22": "A fault against any item of the checklist that a rule can judge is found in a catalog like the "
        "example's, which has none itself.",
        "LINT-07": "Missing, placeholder or incomplete examples on the primary operations are reported.",
    }),
    **_entries("design", "lint", {
        "LINT-08": "A rule's own bad example yields exactly its code, its good example none.",
        "LINT-09": "Praise and repetition remove no finding; other names and another order change none.",
        "LINT-23": "How often rules are right is measured over a labelled corpus, and the figures say so.",
        "LINT-10": "Text that contradicts safety, risk or hints is reported, and so are hints at odds with each other.",
        "LINT-11": "A login identifier in published rows, and a reach that name or text contradict, are reported.",
        "LINT-12": "Characters that nobody sees, and letters that pass for others, are reported in texts and names.",
        "LINT-20": "An app is judged alike from itself, its schema catalog, its OpenAPI document and its MCP tools.",
        "LINT-21": "Text of a linted target steers no terminal and starts no command or markup of a report.",
        "LINT-25": "Names that the protocol, clients or providers refuse or mix up are reported, with the limit.",
        "LINT-26": "Operations that nothing tells apart are reported, and those that a word tells apart are not.",
        "LINT-27": "What tools cost in tokens is told per tool, per role and in all, the most expensive first.",
        "LINT-28": "A provider's profile tells what it refuses from what it takes and does not enforce.",
        "LINT-29": "Credentials for a linted server stand in no report and no message, and go to no other server.",
        "LINT-30": "An OpenAPI document in YAML is read as its JSON would be; one that grows without bound is refused.",
    }),
    **_entries("descriptor house style", "cold", {
        "COLD-01": "A run from the served catalog alone makes the right first call, and repairs a refused one.",
        "COLD-02": "Published examples are called verbatim.",
        "COLD-03": "Ids are taken from live rows into the operations that require them, by their names alone.",
        "COLD-04": "Pages are followed to their end, and have to add up.",
    }),
    **_entries("design", "cold", {
        "COLD-05": "A mistake that the schema refuses has to be refused by name, and mended as the refusal says.",
        "COLD-06": "Unless more is allowed, only operations that read are called; what was not called is told.",
        "COLD-07": "One thing broken in a copy of the catalog turns the run red, or the run says that nobody noticed.",
        "COLD-08": "Goals measure which operation would be picked, without a model.",
        "COLD-09": "A model behind a compatible endpoint makes the call for a goal, and one more after an error.",
        "COLD-10": "Reports are complete, safe to print, and need nothing from a network.",
        "COLD-11": "Apps, catalogs, MCP servers by address and by command, afford's and others', are tried alike.",
    }),
    **_entries("design", "prompts", {
        "PROMPT-01": "Prompts are listed per caller, with completion of their arguments.",
        "PROMPT-02": "A prompt's arguments are judged before it is filled in, and its messages before they leave.",
    }),
    **_entries("design", "elicitation", {
        "ASK-01": "What a handler needs from a person is asked before it runs, once.",
        "ASK-02": "A client that cannot ask a person gets a coded refusal, in either era and over HTTP.",
        "ASK-03": "An answer counts for the caller, call and arguments that it was asked about, and not for long.",
    }),
    **_entries("design", "enforcement", {
        "CONF-01": "An operation at or above the confirmation risk needs a person on the agent door.",
        "RATE-01": "Calls over a limit are refused with the time to wait; other callers are not affected.",
        "AUDIT-01": "Each agent call leaves one record with secrets redacted.",
    }),
    **_entries("design", "lock", {
        "LOCK-01": "A manifest can be locked, and a wider exposure, access, risk or reach needs approval.",
        "LOCK-02": "The lock of the same declarations has the same bytes in every process, and is stale otherwise.",
        "LOCK-03": "What is gone, narrower to send or wider to read is breaking; what came to agents needs approval.",
        "LOCK-04": "Two sources are compared by what both of them tell, and by nothing else.",
        "LOCK-05": "A schema counts as accepting what another accepts only where that is proved.",
        "LOCK-06": "Text of a record steers no terminal and starts no command or markup of a comparison.",
    }),
    **_entries("design", "connector", {
        "CONN-01": "A running development server leaves a record that only its owner can read.",
        "CONN-02": "A record is believed while its process lives, however slowly it answers, and removed after that.",
    }),
    **_entries("agent-native document", "connector", {
        "CONN-03": "The connector passes tools, results, errors, progress and cancellation on as they are.",
        "CONN-05": "The connector follows instances that come, go, change and come back, and tells its client.",
        "CONN-06": "A slow, paused or crashed instance holds up no other, and what becomes of its calls is said.",
        "CONN-08": "The connector lists the instances, and what keeps one from being called.",
    }),
    **_entries("design", "connector", {
        "CONN-04": "A question to a person is put through the connector whichever era each side speaks, or refused.",
        "CONN-07": "Instances and tools are told apart by stable names within 64 characters, each resolved exactly.",
        "CONN-09": "A token goes to its own instance alone and is never shown; no redirect leads elsewhere.",
        "CONN-10": "Instances that start and die at random leave neither tools nor records behind.",
        "CONN-11": "The connector also speaks for other MCP servers, those with sessions of the older era among them.",
    }),
    **_entries("design", "connector", {
        "CONN-12": "`afford mcp` speaks for the instance that runs already, unless told to start anew or as whom.",
        "INST-01": "What `afford install` writes starts the app, or the connector, from wherever a client starts it.",
        "INST-02": "Everything else in a client's file stays as it is, comments and layout included.",
        "INST-03": "Installing again changes nothing or updates the entry; removing takes out that entry alone.",
        "INST-04": "A client's file is replaced whole, keeps its mode, and what it was is kept beside it.",
        "INST-05": "`--dry-run` and `--print` write nothing, and what cannot be read is refused and left alone.",
        "INST-06": "The README connects an assistant to the developer tool from nothing, in at most five commands.",
    }),
    **_entries("design", "webmcp", {
        "WEB-01": "The page can offer the caller's operations to an agent in the browser.",
    }),
}  # fmt: skip

REQUIREMENTS: Final[Mapping[str, Requirement]] = MappingProxyType(
    {
        **_entries("handler-slots document", "foundation", _EXPOSURE),
        **_entries("handler-slots document", "foundation", _HINTS),
        **_entries("agent-native document", "tools", _FRAME),
        **_entries("agent-native document", "dev", _FRAME_LATER),
        **_entries("agent-native document", "foundation", _AGENT_NATIVE),
        **_entries("descriptor house style", "foundation", _HOUSE_STYLE),
        **_entries("design", "foundation", _DECLARING),
        **_entries("design", "foundation", _TYPES),
        **_entries("design", "foundation", _RUNNING),
        **_entries("design", "foundation", _HTTP),
        **_entries("design", "foundation", _OWN_PROGRAM),
        **_entries("design", "foundation", _CASES),
        **_LATER_CASES,
        **_LATER,
    }
)
"""Every requirement by id."""
