// The calls of a while, as they come: filtered, and each with what is known of it.

import { Badge, Empty, Facts, Json, Notice } from "./pieces.js";
import { calls, draft, go, heardCalls, MOST_CALLS, missed, operations, overview } from "./store.js";
import { computed, html, signal } from "./view.js";

const MOST_ROWS = 200;
const operation = signal("");
const outcome = signal("");
const caller = signal("");
const held = signal(null); // what stands still while the list is paused
const opened = signal(0);

const matching = computed(() => {
  const list = held.value ?? calls.value;
  return list.filter((call) => {
    if (operation.value && !(call.operation ?? "").includes(operation.value)) return false;
    if (caller.value && !(call.caller ?? "anonymous").includes(caller.value)) return false;
    if (!outcome.value) return true;
    return outcome.value === "refused" ? call.code !== "ok" : call.code === outcome.value;
  });
});

const codes = computed(() => [...new Set(calls.value.map((call) => call.code))].filter((code) => code !== "ok").sort());

export function Calls() {
  const rows = matching.value.slice(0, MOST_ROWS);
  return html`
    <p class="lead" role="status">
      <strong>
        ${heardCalls.value.toLocaleString("en")}
      </strong> ${heardCalls.value === 1 ? "call" : "calls"} since the page was opened.
      ${heardCalls.value > MOST_CALLS && ` The last ${MOST_CALLS} are kept.`}
    </p>
    ${missed.value > 0 &&
    html`
      <${Notice}>${missed.value.toLocaleString("en")} calls came faster than they could be told, and are not listed.<//>
    `}
    <form class="filters" aria-label="Filter the calls" onSubmit=${(event) => event.preventDefault()}>
      <div>
        <label for="by-operation">Operation</label>
        <input
          id="by-operation"
          list="operation-ids"
          value=${operation.value}
          onInput=${(event) => (operation.value = event.currentTarget.value)}
        />
      </div>
      <datalist id="operation-ids">
        ${operations.value.map((item) => html`<option key=${item.name} value=${item.id} />`)}
      </datalist>
      <div>
        <label for="by-outcome">Outcome</label>
        <select
          id="by-outcome"
          value=${outcome.value}
          onInput=${(event) => (outcome.value = event.currentTarget.value)}
        >
          <option value="">all</option>
          <option value="ok">ok</option>
          <option value="refused">refused or failed</option>
          ${codes.value.map((code) => html`<option key=${code} value=${code}>${code}</option>`)}
        </select>
      </div>
      <div>
        <label for="by-caller">Caller</label>
        <input id="by-caller" value=${caller.value} onInput=${(event) => (caller.value = event.currentTarget.value)} />
      </div>
      <button
        type="button"
        aria-pressed=${String(held.value !== null)}
        onClick=${() => (held.value = held.value ? null : calls.value)}
      >
        ${held.value ? "Go on" : "Pause"}
      </button>
    </form>
    ${
      rows.length === 0
        ? html`
            <${Empty}>
              ${calls.value.length ? "No call fits the filter." : "Nothing was called yet. Calls of every surface appear here as they finish."}
            <//>
          `
        : html`<div class="scroll" role="region" aria-label="Calls" tabindex="0"><table class="calls">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Operation</th>
              <th scope="col">Outcome</th>
              <th scope="col">Caller</th>
              <th scope="col">Surface</th>
              <th scope="col" class="number">ms</th>
            </tr>
          </thead>
          <tbody>${rows.map((call) => html`<${Row} key=${call.number} call=${call} />`)}</tbody>
        </table></div>`
    }
    ${matching.value.length > MOST_ROWS &&
    html`<p class="dim">The newest ${MOST_ROWS} of ${matching.value.length} are shown; filter for the others.</p>`}
  `;
}

const TIME = { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 };
const time = (at) => new Date(at * 1000).toLocaleTimeString("en-GB", TIME);
const toneOf = (code) => {
  if (code === "ok") return "good";
  return (overview.value.codes[code]?.status ?? 400) >= 500 ? "bad" : "warn";
};

function Row({ call }) {
  const isOpen = opened.value === call.number;
  return html`
    <tr class=${isOpen ? "open" : ""}>
      <td class="mono">${time(call.at)}</td>
      <td>
        <button
          type="button"
          class="unfold"
          aria-expanded=${String(isOpen)}
          onClick=${() => (opened.value = isOpen ? 0 : call.number)}
        >
          <code>
            ${call.operation ?? "unknown"}
          </code>
        </button>
      </td>
      <td><${Badge} tone=${toneOf(call.code)}>${call.code}<//></td>
      <td>${call.caller ?? html`<span class="dim">anonymous</span>`}</td>
      <td>${call.surface}</td>
      <td class="number mono">${call.ms.toFixed(1)}</td>
    </tr>
    ${isOpen && html`<tr class="open"><td colspan="6"><${Detail} call=${call} /></td></tr>`}
  `;
}

function Detail({ call }) {
  const meaning = overview.value.codes[call.code];
  const item = operations.value.find(({ id }) => id === call.operation);
  const again = () => {
    draft.value = { name: item.name, arguments: call.arguments };
    go("operations", item.name, "try");
  };
  return html`
    <${Facts}
      facts=${[
        [
          "Means",
          call.code === "ok" ? "It was answered." : (meaning?.title ?? "A refusal that the application declares."),
        ],
        ["The same call again", meaning && (meaning.retryable ? "may succeed later" : "fails again")],
        ["HTTP status", call.code === "ok" ? 200 : meaning?.status],
        ["Door", `${call.door}${call.agent ? ", as an agent" : ""}`],
        ["Trace", call.trace && html`<code>${call.trace}</code>`],
        ["Number", call.number],
      ]}
    />
    ${
      call.arguments
        ? html`<${Json} value=${call.arguments} label="Arguments of the call" />`
        : html`
            <p class="dim">
              ${call.bytes.toLocaleString("en")} bytes of arguments are not kept; they were: ${call.names.join(", ")}.</p>
          `
    }
    ${item && call.arguments && ["operation", "tool"].includes(item.role) &&
    html`<button type="button" onClick=${again}>Fill in the form with this</button>`}
  `;
}
