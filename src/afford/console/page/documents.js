// Shared state and resources: what there is for whom one looks as, and one document as it is now.

import { Badge, Closed, Code, Empty, Notice, Sentence } from "./pieces.js";
import { actingAs, ask, changes, go, lookingAs, overview, route } from "./store.js";
import { html, signal, useEffect, useState } from "./view.js";

const list = signal([]);
const shown = signal(null);

export function Documents() {
  const [uri] = route.value.rest;
  useEffect(() => {
    ask("documents", "documents", lookingAs.value, (answer) => (list.value = answer.resources));
  }, [
    lookingAs.value,
    changes.value.uris === null || changes.value.uris.length === 0 ? changes.value.count : 0,
    overview.value.epoch,
  ]);
  const states = list.value.filter((item) => item.is_state);
  const resources = list.value.filter((item) => !item.is_state);
  return html`<div class="split">
    <section class="list" aria-label="Documents">
      <h2>Shared state</h2>
      <${Group} items=${states} uri=${uri} empty="The app shares no state." />
      <h2>Resources</h2>
      <${Group} items=${resources} uri=${uri} empty="The app has no resources." />
    </section>
    ${uri ? html`<${Document} key=${uri} uri=${uri} />` : html`<section class="detail"><${Empty}>Choose a document to read it, and to see it change.<//></section>`}
  </div>`;
}

function Group({ items, uri, empty }) {
  if (!items.length) return html`<${Empty}>${empty}<//>`;
  return items.map(
    (item) => html`<div class="group" key=${item.operation}>
      <h3>${item.name}</h3>
      <p class="dim"><${Sentence} text=${item.description} /></p>
      ${item.closed && html`<${Notice} tone="warn"><${Closed} closed=${item.closed} /><//>`}
      ${item.is_template && html`<p class="dim"><code>${item.uri}</code></p>`}
      ${item.is_template && !item.closed && !item.is_state && html`<${OneOf} template=${item.uri} />`}
      <ul class="rows">
        ${item.documents.map(
          (one) => html`<li key=${one.uri}>
            <button
              type="button"
              class="row"
              aria-current=${one.uri === uri ? "true" : undefined}
              onClick=${() => go("state", one.uri)}
            >
              <code>
                ${one.uri}
              </code>
            </button>
          </li>`,
        )}
      </ul>
    </div>`,
  );
}

// Of a template no list is known; the person spells the URI.
function OneOf({ template }) {
  const [text, setText] = useState(template);
  const read = (event) => {
    event.preventDefault();
    go("state", text);
  };
  return html`<form class="inline" onSubmit=${read}>
    <input
      aria-label="URI to read"
      value=${text}
      spellcheck="false"
      onInput=${(event) => setText(event.currentTarget.value)}
    />
    <button type="submit">Read</button>
  </form>`;
}

function Document({ uri }) {
  const isOurs = changes.value.uris === null || changes.value.uris.includes(uri);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    ask("document", "document", { ...actingAs.value, uri }, (answer) => (shown.value = answer));
  }, [uri, actingAs.value, isOurs ? changes.value.count : 0, turn]);
  const found = shown.value?.uri === uri ? shown.value : null;
  if (!found) return html`<section class="detail" aria-busy="true"><${Empty}>…<//></section>`;
  return html`<section class="detail" aria-labelledby="document">
    <h2 id="document" tabindex="-1"><code>${uri}</code></h2>
    <p class="badges" role="status">
      ${found.mime_type && html`<${Badge}>${found.mime_type}<//>`}
      ${found.version !== undefined && html`<${Badge} tone="good">version ${found.version}<//>`}
      ${found.length !== undefined &&
      html`<${Badge}>${found.length.toLocaleString("en")} ${"text" in found ? "characters" : "bytes"}<//>`}
    </p>
    ${found.problem && html`<${Notice} tone="bad"><${Sentence} text=${found.problem.detail} /><//>`}
    <${Content} found=${found} />
    <button type="button" onClick=${() => setTurn(turn + 1)}>Read again</button>
  </section>`;
}

function Content({ found }) {
  if (found.base64 && /^image\/(png|jpeg|gif|webp)$/.test(found.mime_type ?? "")) {
    return html`<img class="picture" alt=${`The picture at ${found.uri}`} src=${`data:${found.mime_type};base64,${found.base64}`} />`;
  }
  if (found.base64) return html`<p class="dim">It is binary, and cannot be shown.</p>`;
  if (found.text === undefined) return null;
  return html`<${Code} text=${pretty(found)} label="Content" />`;
}

function pretty({ mime_type: type, text }) {
  if (type !== "application/json") return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
