// One operation, tool, resource or prompt in full: what agents read, who is offered it, what was found, and the form.

import { Badge, Closed, Empty, Facts, Finding, Json, Marked, Notice, Risk, Tabs } from "./pieces.js";
import { SchemaTree } from "./schema_tree.js";
import { ask, findings, go, hrefOf, identity, lookingAs, nameOf, overview, route } from "./store.js";
import { TryIt } from "./try_it.js";
import { html, signal, useEffect, useRef, useState } from "./view.js";

const SURFACES = { http: "HTTP", mcp: "MCP", cli: "the shell" };
const detail = signal(null);

export function Operation({ name }) {
  const heading = useRef();
  useEffect(() => {
    void overview.value.epoch;
    ask("operation", "operation", { ...lookingAs.value, name }, (answer) => {
      const isNew = detail.value?.name !== name;
      detail.value = answer;
      if (isNew) requestAnimationFrame(() => heading.current?.focus());
    });
  }, [name, lookingAs.value, overview.value.boot, overview.value.epoch]);
  const item = detail.value;
  if (item?.name !== name) return html`<section class="detail" aria-busy="true"><${Empty}>…<//></section>`;
  const tab = route.value.rest[1] ?? "reads";
  const tabs = [
    { id: "reads", name: "What agents read", body: () => html`<${Reads} item=${item} />` },
    { id: "try", name: "Try it", body: () => html`<${TryIt} item=${item} />` },
    { id: "documents", name: "Documents", body: () => html`<${Documents} item=${item} />` },
  ].filter(({ id }) => isThere(id, item));
  return html`<section class="detail" aria-labelledby="operation">
    <header class="detail-head">
      <a class="back" href=${hrefOf("operations")}>All operations</a>
      <h2 id="operation" tabindex="-1" ref=${heading}><code>${item.name}</code></h2>
      <p class="dim">${item.title}</p>
      <p class="badges">
        <${Badge}>${item.role === "operation" ? item.kind : item.role}<//>
        ${item.built_in && html`<${Badge}>built in<//>`}
        <${Badge} tone=${item.safety === "read" ? "good" : "plain"}>
          ${item.safety === "read" ? "reads only" : "acts"}
        <//>
        <${Risk} risk=${item.risk} safety=${item.safety} />
        <${Badge}>${item.reach} reach<//>
      </p>
    </header>
    <${Offer} item=${item} />
    <${Tabs} label="Views of the operation" tabs=${tabs} chosen=${tab} choose=${(id) => go("operations", name, id)} />
  </section>`;
}

function isThere(id, item) {
  if (id === "try") return item.role !== "resource" && item.role !== "state";
  return id !== "documents" || Object.keys(item.documents).length > 0;
}

function Offer({ item }) {
  const who = nameOf(identity.value);
  const closed = Object.entries(item.gates).filter(([, gate]) => gate);
  if (!closed.length) return html`<${Notice} tone="good">Offered to ${who} over HTTP, MCP and the shell.<//>`;
  const open = item.offered.map((surface) => SURFACES[surface]);
  if (open.length) {
    const words = closed.map(([surface]) => SURFACES[surface]).join(" and ");
    return html`<${Notice} tone="good">Offered to ${who} over ${open.join(" and ")}; not over ${words}.<${Closed} closed=${closed[0][1]} /><//>`;
  }
  return html`<${Notice} tone="warn">Not offered to ${who}.<${Closed} closed=${item.closed ?? closed[0][1]} /><//>`;
}

function Reads({ item }) {
  const found = findings.value.get(item.name) ?? [];
  const about = (part) => found.filter((one) => one.pointer?.startsWith(part));
  const placed = ["/description", "/input_schema/properties", "/output_schema", "/example"];
  const rest = found.filter((one) => !placed.some((part) => one.pointer?.startsWith(part)));
  return html`
    ${rest.length > 0 &&
    html`
      <section>
        <h3>Findings</h3>
        ${rest.map((one) => html`<${Finding} key=${one.fingerprint} finding=${one} />`)}
      </section>
    `}
    <section><h3>Description</h3><${Descriptions} item=${item} found=${about("/description")} /></section>
    <section>
      <h3>Input</h3>
      <${SchemaTree} schema=${item.input_schema} base="/input_schema" findings=${found} empty="It takes nothing." />
    </section>
    ${
      Object.keys(item.output_schema).length > 0 &&
      html`<section>
      <h3>Answer</h3>
      <${SchemaTree}
        schema=${item.output_schema}
        base="/output_schema"
        findings=${found}
        empty="It answers an object without members."
      />
    </section>`
    }
    <${Examples} item=${item} found=${about("/example")} />
    <${Refusals} problems=${item.problems} />
    <section><h3>Rules</h3><${Facts} facts=${factsOf(item)} /></section>
  `;
}

function Descriptions({ item, found }) {
  if (!item.descriptions.some(({ text }) => text)) return html`<${Empty}>It has no description.<//>`;
  return html`
    ${item.descriptions.map(
      ({ surfaces, text }, index) => html`<figure class="rendering" key=${index}>
        <figcaption>${surfaces.join(", ")}</figcaption>
        <blockquote>
          ${text ? html`<${Marked} text=${text} spans=${index === 0 ? found.flatMap(({ span }) => (span ? [span] : [])) : []} />` : html`<span class="dim">Nothing is sent.</span>`}
        </blockquote>
      </figure>`,
    )}
    ${found.map((one) => html`<${Finding} key=${one.fingerprint} finding=${one} />`)}
  `;
}

function Examples({ item, found }) {
  if (!item.examples.length && !found.length) return null;
  return html`<section>
    <h3>Examples</h3>
    ${item.examples.map(
      (example, index) => html`<div class="pair" key=${index}>
        <${Json} value=${example.params} label=${`Arguments of example ${index + 1}`} />
        ${"row" in example && html`<${Json} value=${example.row} label=${`Answer of example ${index + 1}`} />`}
      </div>`,
    )}
    ${found.map((one) => html`<${Finding} key=${one.fingerprint} finding=${one} />`)}
  </section>`;
}

function Refusals({ problems }) {
  if (!problems.length) return null;
  return html`<section>
    <h3>Refusals of its own</h3>
    <ul class="plain">
      ${problems.map(({ code, status, title, fix }) => html`<li key=${code}><code>${code}</code> ${status} · ${title}${fix && html`<span class="dim"> · ${fix}</span>`}</li>`)}
    </ul>
  </section>`;
}

const yes = (value) => (value ? "yes" : "no");
const factsOf = (item) => [
  ["Access", html`<code>${item.access}</code>`],
  ["Exposed to agents", yes(item.exposed)],
  ["Switched on", typeof item.enabled === "boolean" ? yes(item.enabled) : item.enabled],
  ["Reach", item.owner ? `${item.reach}, by ${item.owner}` : item.reach],
  ["Pages", item.paging && `${item.paging.default} rows, at most ${item.paging.max}`],
  ["Same again is harmless", yes(item.idempotent)],
  ["Deadline", item.deadline && `${item.deadline} s`],
  ["Asks a person", item.questions.map(({ message }) => message).join(" ")],
  ["Entity", item.entity && html`<a href=${hrefOf("places")}>${item.entity}</a>`],
  ["Redacted in records", item.secrets.join(", ")],
  ["Feature", item.feature],
  ["Declared at", item.location && html`<code>${item.location}</code>`],
];

const NAMES = { http: "Schema catalog", mcp: "MCP tool", openapi: "OpenAPI path" };

function Documents({ item }) {
  const [chosen, choose] = useState(Object.keys(item.documents)[0]);
  const tabs = Object.entries(item.documents).map(([id, value]) => ({
    id,
    name: NAMES[id],
    body: () => html`<${Json} value=${value} label=${NAMES[id]} />`,
  }));
  return html`<${Tabs} label="Documents" tabs=${tabs} chosen=${chosen} choose=${choose} />`;
}
