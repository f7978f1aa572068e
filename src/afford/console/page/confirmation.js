// The question before a risky call: a modal dialog of the browser, which keeps the focus. Its opener takes it back.

import { Json, Risk } from "./pieces.js";
import { identity, nameOf, overview } from "./store.js";
import { html, useEffect, useRef } from "./view.js";

export function Confirmation({ item, call, confirm, cancel }) {
  const dialog = useRef();
  const safe = useRef();
  useEffect(() => {
    dialog.current.showModal();
    safe.current.focus();
  }, []);
  return html`<dialog ref=${dialog} aria-labelledby="really" onCancel=${(event) => {
    event.preventDefault();
    cancel();
  }}>
    <h2 id="really">Call <code>${item.name}</code>?</h2>
    <p class="badges"><${Risk} risk=${item.risk} safety=${item.safety} /></p>
    <p>It runs now, as ${overview.value.is_developer ? nameOf(identity.value) : "yourself"}, and has its real effects.</p>
    <${Json} value=${call.arguments} label="Arguments" />
    <div class="try-foot">
      <button type="button" ref=${safe} onClick=${cancel}>Cancel</button>
      <button type="button" class="danger" onClick=${confirm}>Call it</button>
    </div>
  </dialog>`;
}
