// A schema as a tree that unfolds, with what the linter found at each place.

import { Badge, Finding, Sentence } from "./pieces.js";
import { limitTexts, membersOf, pointerTo, resolved, typeText, withoutNull } from "./schema.js";
import { html, useState } from "./view.js";

export function SchemaTree({ schema, base, findings, empty }) {
  const top = membersOf(schema, schema);
  if (!top) {
    const type = typeText(schema, schema);
    return html`<p class="dim">${type === "object" ? empty : type}</p>`;
  }
  return html`<${Members} found=${top} root=${schema} base=${base + top.path} findings=${findings} />`;
}

function Members({ found, root, base, findings }) {
  if (found.alternatives) {
    return html`${found.alternatives.map(
      (part, index) => html`<div class="alternative" key=${index}>
        <p class="dim">${index ? "or" : "either"}${part.title && ` ${part.title}`}</p>
        <${Members} found=${{ object: part }} root=${root} base=${base} findings=${findings} />
      </div>`,
    )}`;
  }
  const names = Object.keys(found.object.properties);
  if (!names.length) return html`<p class="dim">No members.</p>`;
  const required = found.object.required ?? [];
  return html`<ul class="tree">
    ${names.map(
      (name) => html`<${Place}
        key=${name}
        name=${name}
        schema=${found.object.properties[name]}
        required=${required.includes(name)}
        root=${root}
        pointer=${pointerTo(`${base}/properties`, name)}
        findings=${findings}
      />`,
    )}
  </ul>`;
}

function Place({ name, schema, required, root, pointer, findings }) {
  const [open, setOpen] = useState(false);
  const shown = withoutNull(resolved(schema, root), root);
  const below = membersOf(schema, root);
  const here = findings.filter((item) => item.pointer === pointer || item.pointer?.startsWith(`${pointer}/`));
  const head = html`
    <code class="place-name">${name}</code>
    <span class="type">${typeText(schema, root)}</span>
    ${required && html`<${Badge}>required<//>`}
  `;
  return html`<li>
    ${
      below
        ? html`
            <button type="button" class="unfold" aria-expanded=${String(open)} onClick=${() => setOpen(!open)}>
              ${head}
            </button>
          `
        : html`<div class="place">${head}</div>`
    }
    ${shown.description && html`<p class="place-text"><${Sentence} text=${shown.description} /></p>`}
    ${limitTexts(shown).length > 0 && html`<p class="place-limits">${limitTexts(shown).join(" · ")}</p>`}
    ${here.map((item) => html`<${Finding} key=${item.fingerprint} finding=${item} />`)}
    ${open && html`<${Members} found=${below} root=${root} base=${pointer + below.path} findings=${findings} />`}
  </li>`;
}
