// What surrounds every page: landmarks, navigation, as whom one looks, and whether the server is there.

import { Calls } from "./calls.js";
import { Costs } from "./costs.js";
import { Documents } from "./documents.js";
import { IdentityBar } from "./identity.js";
import { Operations } from "./operations.js";
import { Notice } from "./pieces.js";
import { Places } from "./places.js";
import { failure, heardCalls, hrefOf, link, locked, open, overview, report, route } from "./store.js";
import { chosenTheme, nextTheme } from "./theme.js";
import { html, useEffect, useRef, useState } from "./view.js";

const PAGES = [
  { id: "operations", name: "Operations", part: Operations },
  { id: "calls", name: "Calls", part: Calls },
  { id: "state", name: "State & resources", part: Documents },
  { id: "places", name: "Entities & screens", part: Places },
  { id: "cost", name: "Cost", part: Costs },
];

export function Frame() {
  if (locked.value !== null) return html`<${Locked} />`;
  if (!overview.value) return html`<main class="alone"><p role="status">Asking the server…</p><${Failure} /></main>`;
  const page = PAGES.find(({ id }) => id === route.value.page) ?? PAGES[0];
  return html`
    <a class="skip" href="#main" onClick=${toMain}>Skip to the content</a>
    <header class="top">
      <div class="brand">
        <img src="console/mark.svg" alt="" width="28" height="28" />
        <div>
          <strong>${overview.value.title}</strong>
          <span class="dim">
            ${overview.value.version} · ${overview.value.is_developer ? "development" : "console"}
          </span>
        </div>
      </div>
      <${IdentityBar} />
      <div class="top-end"><${Link} /><${Theme} /></div>
    </header>
    <nav class="side" aria-label="Pages">
      <ul>
        ${PAGES.map(
          ({ id, name }) => html`<li key=${id}>
            <a href=${hrefOf(id)} aria-current=${id === page.id ? "page" : undefined}>${name}<${Count} id=${id} /></a>
          </li>`,
        )}
      </ul>
    </nav>
    <main id="main" tabindex="-1"><${Failure} /><${Page} key=${page.id} name=${page.name} part=${page.part} /></main>
  `;
}

// A page that was gone to begins at its heading, for eyes and screen readers alike; the first one leaves focus alone.
let isFirst = true;
function Page({ name, part: Part }) {
  const heading = useRef();
  useEffect(() => {
    document.title = `${name} · ${overview.value.title} · console`;
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  return html`<h1 tabindex="-1" ref=${heading}>${name}</h1><${Part} />`;
}

function toMain(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

function Count({ id }) {
  if (id === "calls" && heardCalls.value)
    return html`<span class="count">${heardCalls.value.toLocaleString("en")}</span>`;
  if (id === "operations" && report.value)
    return html`<span class="count" title="Grade of the linter">${report.value.grade}</span>`;
  return null;
}

const Failure = () =>
  html`<div role="alert">${failure.value && html`<${Notice} tone="bad">${failure.value}<//>`}</div>`;

const LINKS = { connecting: "Connecting", live: "Live", lost: "Reconnecting" };
const Link = () => html`<span class=${`link link-${link.value}`} role="status">${LINKS[link.value]}</span>`;

function Theme() {
  const [theme, setTheme] = useState(chosenTheme());
  return html`<button type="button" class="quiet" onClick=${() => setTheme(nextTheme())} aria-label=${`Colours: ${theme}`}>
    ${{ system: "◐", dark: "●", light: "○" }[theme]}
  </button>`;
}

// Where a page may not open by itself: the person has a credential, and the browser does not.
function Locked() {
  const field = useRef();
  const send = (event) => {
    event.preventDefault();
    open(field.current.value.trim());
  };
  return html`<main class="alone">
    <h1>Console</h1>
    <p role="alert">There is nothing to see with the credentials of this page.</p>
    <p class="dim">
      Open it by the address that <code>afford dev</code> prints, which carries a token; or paste the token that you call
      this server with. It stays in this tab.
    </p>
    <form onSubmit=${send}>
      <label for="token">Token</label>
      <input id="token" type="password" autocomplete="off" ref=${field} />
      <button type="submit" class="main">Open</button>
    </form>
  </main>`;
}
