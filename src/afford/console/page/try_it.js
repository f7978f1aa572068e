// A form made from the schema, the same call for every surface, and what came of it.

import { post, Refused } from "./api.js";
import { asCurl, asMcp, asShell } from "./call_texts.js";
import { Confirmation } from "./confirmation.js";
import { ObjectFields } from "./form_fields.js";
import { draftOf, objectDraft, valueOf } from "./form_model.js";
import { Badge, Code, Json, Notice, Sentence, Tabs } from "./pieces.js";
import { actingAs, draft as handed, identity, nameOf, overview } from "./store.js";
import { html, useEffect, useRef, useState } from "./view.js";

const PAGE = {
  type: "object",
  properties: {
    limit: { type: "integer", description: "Rows of one page." },
    cursor: { type: "string", description: "Where to go on, from the page before." },
  },
};

export function TryIt({ item }) {
  const schema = item.input_schema;
  const [fields, setFields] = useState(() => takeDraft(item));
  const [page, setPage] = useState({ limit: null, cursor: null });
  const [answers, setAnswers] = useState(() =>
    Object.fromEntries(item.questions.map((one) => [one.name, objectDraft(one.schema, one.schema)])),
  );
  const [raw, setRaw] = useState(null);
  const [outcome, setOutcome] = useState(null);
  const [asking, setAsking] = useState(false);
  const [running, setRunning] = useState(false);
  const form = useRef();
  const result = useRef();
  const button = useRef();
  const call = callOf({ item, fields, page, answers, raw });
  const faults = outcome?.problem?.errors ?? [];
  const send = async (more = {}) => {
    setRunning(true);
    const told = await run(item, { ...call, page: { ...call.page, ...more } });
    setRunning(false);
    setOutcome(told);
  };
  useEffect(() => {
    if (!outcome) return;
    // To the first field that is wrong, or else to the answer.
    const wrong = form.current?.querySelector("[aria-invalid=true], .wrong[tabindex]");
    (wrong ?? result.current)?.focus();
  }, [outcome]);
  // After the dialog is gone, since nothing beside it can have the focus before.
  const wasAsking = useRef(false);
  useEffect(() => {
    if (wasAsking.current && !asking) button.current.focus();
    wasAsking.current = asking;
  }, [asking]);
  const submit = (event) => {
    event.preventDefault();
    if (call.error) return;
    if (item.risk === "high" || item.safety === "destructive") setAsking(true);
    else send();
  };
  return html`
    <form class="try" ref=${form} onSubmit=${submit} noValidate aria-label=${`Try ${item.name}`}>
      <div class="try-head">
        ${item.examples.map(
          (
            example,
            index,
          ) => html`<button key=${index} type="button" class="quiet" onClick=${() => fill(example.params, item, { setFields, setPage, setRaw })}>
            Fill in example${item.examples.length > 1 ? ` ${index + 1}` : ""}
          </button>`,
        )}
        <button
          type="button"
          class="quiet"
          aria-pressed=${String(raw !== null)}
          onClick=${() => setRaw(raw === null ? JSON.stringify(call.arguments, null, 2) : null)}>Write JSON</button
        >
      </div>
      ${
        raw === null
          ? html`
              <${ObjectFields} schema=${schema} root=${schema} draft=${fields} change=${setFields} faults=${faults} />
            `
          : html`<div class="field">
            <label for="raw">Arguments as JSON</label>
            <textarea
              id="raw"
              rows="10"
              spellcheck="false"
              value=${raw}
              onInput=${(event) => setRaw(event.currentTarget.value)}
              aria-describedby="raw-wrong"
            />
            <p class="wrong" id="raw-wrong" role="status">${call.error}</p>
          </div>`
      }
      ${raw === null && !Object.keys(schema.properties ?? {}).length && html`<p class="dim">It takes no arguments.</p>`}
      ${item.paging &&
      html`
        <fieldset>
          <legend>Page</legend>
          <${ObjectFields} schema=${PAGE} root=${PAGE} draft=${page} change=${setPage} faults=${faults} />
        </fieldset>
      `}
      ${item.questions.map(
        (one) => html`<fieldset key=${one.name}>
          <legend>A person is asked: ${one.message}</legend>
          <${ObjectFields}
            schema=${one.schema}
            root=${one.schema}
            draft=${answers[one.name]}
            change=${(next) => setAnswers({ ...answers, [one.name]: next })}
            pointer=${`/${one.name}`}
            faults=${faults}
          />
        </fieldset>`,
      )}
      <div class="try-foot">
        <button type="submit" class="main" ref=${button} disabled=${running || Boolean(call.error)}>
          ${running ? "Calling…" : "Call"}
        </button>
        <span class="dim">as ${overview.value.is_developer ? nameOf(identity.value) : "yourself"}; it has its real effects</span>
      </div>
    </form>
    <section class="outcome" aria-label="Outcome" tabindex="-1" ref=${result} hidden=${!outcome}>
      ${outcome && html`<${Outcome} outcome=${outcome} next=${(cursor) => send({ cursor })} />`}
    </section>
    <section><h3>The same call elsewhere</h3><${Elsewhere} call=${call} item=${item} /></section>
    ${
      asking &&
      html`<${Confirmation} item=${item} call=${call} cancel=${() => setAsking(false)} confirm=${() => {
        setAsking(false);
        send();
      }} />`
    }
  `;
}

// What another page handed over, else an empty form.
function takeDraft(item) {
  const given = handed.value;
  handed.value = null;
  if (given?.name === item.name) return draftOf(given.arguments, item.input_schema, item.input_schema);
  return objectDraft(item.input_schema, item.input_schema);
}

function fill(params, item, { setFields, setPage, setRaw }) {
  const { limit, cursor, ...rest } = params;
  const paged = item.paging ? rest : params;
  setRaw(null);
  setFields(draftOf(paged, item.input_schema, item.input_schema));
  if (item.paging) setPage({ limit: limit === undefined ? null : String(limit), cursor: cursor ?? null });
}

function callOf({ item, fields, page, answers, raw }) {
  const questions = item.questions.map((one) => [one.name, valueOf(answers[one.name], one.schema, one.schema)]);
  const call = { page: item.paging ? valueOf(page, PAGE, PAGE) : {}, answers: Object.fromEntries(questions) };
  if (raw === null) return { ...call, arguments: valueOf(fields, item.input_schema, item.input_schema) };
  try {
    const value = JSON.parse(raw);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...call, arguments: value };
    return { ...call, arguments: {}, error: "Arguments are a JSON object; begin with a brace." };
  } catch (error) {
    return { ...call, arguments: {}, error: error.message };
  }
}

async function run(item, call) {
  const surface = item.role === "operation" && item.gates.http === null ? "http" : "mcp";
  const { page, answers } = call;
  try {
    return await post(
      "call",
      actingAs.value,
      JSON.stringify({ name: item.name, surface, arguments: call.arguments, answers, ...page }),
    );
  } catch (error) {
    if (error instanceof Refused) return { ok: false, status: error.status, problem: error.problem };
    return {
      ok: false,
      status: null,
      problem: { code: "unreachable", detail: "the server does not answer", fix: "look whether it runs" },
    };
  }
}

function Outcome({ outcome, next }) {
  const { ok, status, problem, ms } = outcome;
  return html`
    <h3>
      <${Badge} tone=${ok ? "good" : "bad"}>${ok ? "ok" : problem.code}<//>
      ${status && html`<span class="dim">HTTP ${status}</span>`}
      ${ms !== undefined && html`<span class="dim">${ms.toFixed(1)} ms</span>`}
    </h3>
    ${
      !ok &&
      html`<${Notice} tone="bad">
      <p><${Sentence} text=${problem.detail ?? ""} /></p>
      ${problem.fix && html`<p class="dim"><${Sentence} text=${problem.fix} /></p>`}
      ${problem.trace && html`<p class="dim">Trace <code>${problem.trace}</code>, as in the log.</p>`}
    <//>`
    }
    <${Json} value=${ok ? outcome.value : problem} label="Answer" />
    ${outcome.content && html`<${Json} value=${outcome.content} label="Content beside the answer" />`}
    ${ok && outcome.total !== undefined && html`<p class="dim">${outcome.total} match in all.</p>`}
    ${outcome.next_cursor && html`<button type="button" onClick=${() => next(outcome.next_cursor)}>Next page</button>`}
  `;
}

function Elsewhere({ call, item }) {
  const [chosen, choose] = useState(item.role === "operation" ? "curl" : "mcp");
  const base = `${location.origin}${overview.value.mount}`;
  const texts = [
    ["curl", "HTTP", () => asCurl(call, item, base), item.role === "operation"],
    ["mcp", "MCP", () => asMcp(call, item), item.role !== "prompt"],
    ["shell", "Shell", () => asShell(call, item, identity.value), item.role !== "prompt"],
  ].filter(([, , , isThere]) => isThere);
  if (!texts.length) return html`<p class="dim">Prompts are picked by people, in their assistant.</p>`;
  const tabs = texts.map(([id, name, write]) => ({
    id,
    name,
    body: () => html`<${Code} text=${write()} label=${`The call for ${name}`} />`,
  }));
  return html`<${Tabs} label="Surfaces" tabs=${tabs} chosen=${chosen} choose=${choose} />`;
}
