// Small parts that every page uses.

import { html, useId, useRef, useState } from "./view.js";

export const Badge = ({ tone = "plain", children, title }) =>
  html`<span class=${`badge badge-${tone}`} title=${title}>${children}</span>`;

export const Risk = ({ risk, safety }) => html`
  ${safety === "destructive" && html`<${Badge} tone="bad">destructive<//>`}
  ${risk !== "low" && html`<${Badge} tone=${risk === "high" ? "bad" : "warn"}>${risk} risk<//>`}
`;

export const Notice = ({ tone = "info", role, children }) =>
  html`<div class=${`notice notice-${tone}`} role=${role}>${children}</div>`;

export const Empty = ({ children }) => html`<p class="empty">${children}</p>`;

export const Facts = ({ facts }) => html`
  <dl class="facts">
    ${facts
      .filter(([, value]) => value !== null && value !== undefined && value !== "")
      .map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>
`;

export function Copy({ text, label = "Copy" }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return html`<button type="button" class="quiet small" onClick=${copy}>
    <span aria-live="polite">${copied ? "Copied" : label}</span>
  </button>`;
}

const LONGEST = 100_000;

// Code may be wider than its place, so it can be reached and scrolled by keyboard.
export function Code({ text, label, copy = true }) {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters` : text;
  return html`<div class="code">
    ${copy && html`<${Copy} text=${text} />`}
    <pre tabindex="0" role="region" aria-label=${label}>${shown}</pre>
  </div>`;
}

export const Json = ({ value, label }) => html`<${Code} text=${JSON.stringify(value, null, 2)} label=${label} />`;

// Tabs as the ARIA practices have them: one stop for the tab key, arrows move between them.
export function Tabs({ label, tabs, chosen, choose }) {
  const id = useId();
  const list = useRef();
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const now = tabs.findIndex((tab) => tab.id === chosen);
    const next = Number.isFinite(step) ? (now + step + tabs.length) % tabs.length : step < 0 ? 0 : tabs.length - 1;
    choose(tabs[next].id);
    list.current.children[next].focus();
  };
  const tab = tabs.find((item) => item.id === chosen) ?? tabs[0];
  return html`
    <div class="tabs" role="tablist" aria-label=${label} ref=${list} onKeyDown=${move}>
      ${tabs.map(
        (item) => html`<button
          key=${item.id}
          type="button"
          role="tab"
          id=${`${id}-${item.id}`}
          aria-controls=${`${id}-panel`}
          aria-selected=${String(item === tab)}
          tabindex=${item === tab ? 0 : -1}
          onClick=${() => choose(item.id)}
        >${item.name}</button>`,
      )}
    </div>
    <div class="panel" role="tabpanel" id=${`${id}-panel`} aria-labelledby=${`${id}-${tab.id}`}>${tab.body()}</div>
  `;
}

// Texts with `code` in backticks, as findings and fixes are written.
export const Sentence = ({ text }) =>
  html`${text.split(/`([^`]*)`/).map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))}`;

// A text with the words marked that findings are about; spans count code points and may overlap.
export function Marked({ text, spans }) {
  const points = Array.from(text);
  const edges = [...new Set([0, points.length, ...spans.flat()])].sort((one, other) => one - other);
  return html`${edges.slice(0, -1).map((from, index) => {
    const part = points.slice(from, edges[index + 1]).join("");
    return spans.some(([start, end]) => start <= from && from < end) ? html`<mark>${part}</mark>` : part;
  })}`;
}

const TONES = { error: "bad", warning: "warn", info: "plain" };

export const Finding = ({ finding }) => html`
  <div class="finding">
    <${Badge} tone=${TONES[finding.severity]}>${finding.severity}<//>
    <span>
      <code>
        ${finding.code}
      </code> <${Sentence} text=${finding.message} />. <span class="dim">
        <${Sentence} text=${finding.fix} />
      </span>
    </span>
  </div>
`;

export const Closed = ({ closed }) => html`
  <p>
    <strong>
      ${closed.gate}
    </strong>: <${Sentence} text=${closed.message} />
    ${closed.fix && html`<span class="dim">. To change that: <${Sentence} text=${closed.fix} />.</span>`}
  </p>
`;
