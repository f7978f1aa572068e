// The list of what is declared, and one of it in full beside it.

import { Operation } from "./operation.js";
import { Badge, Empty, Risk } from "./pieces.js";
import { findings, hrefOf, identity, nameOf, operations, route } from "./store.js";
import { computed, html, signal } from "./view.js";

const STEP = 200;
const text = signal("");
const shown = signal("all");
const most = signal(STEP);

const matching = computed(() => {
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.value.filter((item) => {
    const isOffered = item.offered.length > 0;
    if (shown.value === "offered" && !isOffered) return false;
    if (shown.value === "hidden" && isOffered) return false;
    if (shown.value === "findings" && !findings.value.has(item.name)) return false;
    const found = `${item.name} ${item.title} ${item.feature} ${item.role} ${item.kind}`.toLowerCase();
    return words.every((word) => found.includes(word));
  });
});

export function Operations() {
  const [name] = route.value.rest;
  const offered = operations.value.filter((item) => item.offered.length > 0).length;
  return html`<div class="split">
    <section class="list" aria-label="Everything declared">
      <p class="lead">
        <strong>
          ${offered}
        </strong> of ${operations.value.length} are offered to ${nameOf(identity.value)}.</p>
      <div class="filters">
        <div class="filter-wide">
          <label for="find" class="unseen">Find</label>
          <input
            id="find"
            type="search"
            placeholder="Find by name, title or kind"
            value=${text.value}
            onInput=${(event) => (text.value = event.currentTarget.value)}
          />
        </div>
        <div>
          <label for="shown" class="unseen">Which</label>
          <select id="shown" value=${shown.value} onInput=${(event) => (shown.value = event.currentTarget.value)}>
            <option value="all">all</option>
            <option value="offered">offered</option>
            <option value="hidden">not offered</option>
            <option value="findings">with findings</option>
          </select>
        </div>
      </div>
      ${matching.value.length === 0 && html`<${Empty}>Nothing fits.<//>`}
      <ul class="rows">
        ${matching.value.slice(0, most.value).map((item) => html`<${Row} key=${item.name} item=${item} chosen=${item.name === name} />`)}
      </ul>
      ${matching.value.length > most.value &&
      html`
        <button type="button" onClick=${() => (most.value += STEP)}>Show ${STEP} more of ${matching.value.length}
        </button>
      `}
    </section>
    ${name ? html`<${Operation} key=${name} name=${name} />` : html`<section class="detail"><${Empty}>Choose one to see what agents read, and to try it.<//></section>`}
  </div>`;
}

function Row({ item, chosen }) {
  const found = findings.value.get(item.name) ?? [];
  const worst = ["error", "warning", "info"].find((severity) => found.some((one) => one.severity === severity));
  const isOffered = item.offered.length > 0;
  return html`<li>
    <a
      href=${hrefOf("operations", item.name)}
      class=${`row${isOffered ? "" : " row-hidden"}`}
      aria-current=${chosen ? "true" : undefined}
    >
      <span class="row-main"><code>${item.name}</code><span class="dim">${item.title}</span></span>
      <span class="row-marks">
        <span class="kind">${item.role === "operation" ? item.kind : item.role}</span>
        <${Risk} risk=${item.risk} safety=${item.safety} />
        ${worst &&
        html`
          <${Badge} tone=${{ error: "bad", warning: "warn", info: "plain" }[worst]}>
            ${found.length} ${found.length === 1 ? "finding" : "findings"}
          <//>
        `}
        ${!isOffered && html`<span class="gate">not offered: ${item.closed?.gate}</span>`}
      </span>
    </a>
  </li>`;
}
