// What the list of tools costs an assistant's context, for each kind of caller: a chart, and the same as a table.

import { Empty, Notice } from "./pieces.js";
import { ask, hrefOf, identity, lookingAs, nameOf, overview } from "./store.js";
import { html, signal, useEffect } from "./view.js";

const WIDTH = 640;
const LABEL = 150;
const ROW = 34;
const told = signal(null);
const chosen = signal("chosen");

export function Costs() {
  useEffect(() => {
    ask("costs", "costs", lookingAs.value, (answer) => (told.value = answer));
  }, [lookingAs.value, overview.value.epoch, overview.value.boot]);
  if (!told.value) return html`<${Empty}>…<//>`;
  const { budget, callers } = told.value;
  const caller = callers.find(({ who }) => who === chosen.value) ?? callers[0];
  const over = callers.filter(({ tokens }) => budget && tokens > budget);
  return html`
    <p class="lead">What an assistant reads before its first call: the tools it is offered over MCP, and the instructions. Estimated tokens.</p>
    ${over.length > 0 &&
    html`
      <${Notice} tone="warn">Over the budget of ${number(budget)}: the list gives way to a search for ${over.map(({ who }) => named(who)).join(", ")}.<//>
    `}
    <div class="charts">
      <section>
        <h2>By caller</h2>
        <${Bars}
          title="Tokens by caller"
          rows=${callers.map(({ who, tokens }) => ({ name: named(who), tokens }))}
          line=${budget}
        />
        <label for="cost-of">Tools of</label>
        <select id="cost-of" value=${caller.who} onInput=${(event) => (chosen.value = event.currentTarget.value)}>
          ${callers.map(({ who }) => html`<option key=${who} value=${who}>${named(who)}</option>`)}
        </select>
      </section>
      <section>
        <h2>Tools of ${named(caller.who)}</h2>
        <div class="scroll" role="region" aria-label="Tokens by tool" tabindex="0"><table>
          <thead>
            <tr>
              <th scope="col">Tool</th>
              <th scope="col" class="number">Tokens</th>
              <th scope="col" class="number">Share</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">instructions</th>
              <td class="number mono">
                ${number(caller.instructions)}
              </td>
              <td class="number mono">
                ${share(caller.instructions, caller.tokens)}
              </td>
            </tr>
            ${caller.tools.map(
              ({ name, tokens }) =>
                html`<tr key=${name}><th scope="row"><a href=${hrefOf("operations", name)}>${name}</a></th><td class="number mono">${number(tokens)}</td><td class="number mono">${share(tokens, caller.tokens)}</td></tr>`,
            )}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">in all</th>
              <td class="number mono">
                ${number(caller.tokens)}
              </td>
              <td>
              </td>
            </tr>
          </tfoot>
        </table></div>
      </section>
    </div>
  `;
}

const number = (value) => value.toLocaleString("en");
const share = (part, whole) => `${Math.round((100 * part) / Math.max(whole, 1))} %`;
const named = (who) => (who === "chosen" ? nameOf(identity.value) : who);

// Bars begin at nothing; the line is the budget, where it is near enough to matter.
function Bars({ title, rows, line }) {
  const largest = Math.max(1, ...rows.map(({ tokens }) => tokens));
  const isNear = Boolean(line) && line < largest * 3;
  const top = isNear ? Math.max(largest, line) : largest;
  const scale = (tokens) => ((WIDTH - LABEL - 80) * tokens) / top;
  const height = rows.length * ROW + 6;
  return html`<svg class="bars" viewBox=${`0 0 ${WIDTH} ${height}`} role="img" aria-label=${`${title}: ${rows.map(({ name, tokens }) => `${name} ${number(tokens)}`).join("; ")}`}>
    ${rows.map(({ name, tokens }, index) => {
      const y = index * ROW + 4;
      return html`<g key=${name}>
        <text class="bar-name" x=${LABEL - 10} y=${y + 18} text-anchor="end">
          ${name.length > 20 ? `${name.slice(0, 19)}…` : name}
        </text>
        <rect
          class=${`bar${line && tokens > line ? " bar-over" : ""}`}
          x=${LABEL}
          y=${y + 3}
          width=${Math.max(scale(tokens), 2)}
          height=${ROW - 14}
          rx="4"
        >
        </rect>
        <text class="bar-value" x=${LABEL + scale(tokens) + 8} y=${y + 18}>${number(tokens)}</text>
      </g>`;
    })}
    ${isNear &&
    html`<line class="budget" x1=${LABEL + scale(line)} x2=${LABEL + scale(line)} y1="0" y2=${height}></line>`}
  </svg>`;
}
