// What the application is about and where a person goes in it: entities, screens, navigation.

import { Badge, Empty, Sentence } from "./pieces.js";
import { SchemaTree } from "./schema_tree.js";
import { ask, findings, hrefOf, lookingAs, overview } from "./store.js";
import { html, signal, useEffect, useState } from "./view.js";

const found = signal(null);

export function Places() {
  useEffect(() => {
    ask("places", "places", lookingAs.value, (answer) => (found.value = answer));
  }, [lookingAs.value, overview.value.epoch, overview.value.boot]);
  if (!found.value) return html`<${Empty}>…<//>`;
  const { entities, screens, navigation } = found.value;
  return html`
    <section>
      <h2>Entities</h2>
      ${entities.length ? html`<div class="cards">${entities.map((item) => html`<${Entity} key=${item.name} item=${item} />`)}</div>` : html`<${Empty}>None are declared.<//>`}
    </section>
    <section><h2>Screens</h2><${Screens} screens=${screens} /></section>
    <section>
      <h2>Navigation</h2>
      ${navigation.length ? html`<${Entries} entries=${navigation} parent=${null} />` : html`<${Empty}>None is declared.<//>`}
    </section>
  `;
}

const Shown = ({ shown }) => html`<${Badge} tone=${shown ? "good" : "warn"}>${shown ? "shown" : "not shown"}<//>`;

function Entity({ item }) {
  const [open, setOpen] = useState(false);
  return html`<article class="card">
    <h3>${item.name} <${Shown} shown=${item.shown} /></h3>
    <p><${Sentence} text=${item.description || "It has no description."} /></p>
    ${item.operations.length > 0 &&
    html`
      <p class="dim">Of ${item.operations.map((name, index) => html`${index ? ", " : ""}<a key=${name} href=${hrefOf("operations", name)}>${name}</a>`)}
      </p>
    `}
    ${item.references.length > 0 && html`<p class="dim">Refers to ${item.references.join(", ")}</p>`}
    <button
      type="button"
      class="unfold"
      aria-expanded=${String(open)}
      onClick=${() => setOpen(!open)}>Fields of ${item.name}
    </button>
    ${open &&
    html`
      <${SchemaTree}
        schema=${item.schema}
        base="/schema"
        findings=${findings.value.get(`entity:${item.name}`) ?? []}
        empty="It has no fields."
      />
    `}
  </article>`;
}

function Screens({ screens }) {
  if (!screens.length) return html`<${Empty}>None are declared.<//>`;
  return html`<div class="scroll" role="region" aria-label="Screens" tabindex="0"><table>
    <thead>
      <tr>
        <th scope="col">Screen</th>
        <th scope="col">Type</th>
        <th scope="col">Path</th>
        <th scope="col">Description</th>
        <th scope="col">Access</th>
        <th scope="col">To whom you look as</th>
      </tr>
    </thead>
    <tbody>
      ${screens.map(
        (item) => html`<tr key=${item.id}>
          <th scope="row"><code>${item.id}</code></th>
          <td>${item.type}</td>
          <td><code>${item.path ?? "—"}</code></td>
          <td>${item.description || "—"}</td>
          <td><code>${item.access}</code></td>
          <td><${Shown} shown=${item.shown} /></td>
        </tr>`,
      )}
    </tbody>
  </table></div>`;
}

function Entries({ entries, parent }) {
  const here = entries.filter((item) => item.parent === parent);
  if (!here.length) return null;
  return html`<ul class="tree">
    ${here.map(
      (item) => html`<li key=${item.id}>
        <div class="place">
          <strong>
            ${item.label}
          </strong> ${item.screen && html`<span class="dim">to <code>${item.screen}</code></span>`} <${Shown}
            shown=${item.shown}
          />
        </div>
        <${Entries} entries=${entries} parent=${item.id} />
      </li>`,
    )}
  </ul>`;
}
