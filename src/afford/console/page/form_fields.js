// The fields of a form, one part for each kind of place, inside each other as the schema is.

import { choicesOf, emptyDraft, kindOf, objectDraft, OMIT, variantsOf } from "./form_model.js";
import { Sentence } from "./pieces.js";
import { limitTexts, pointerTo, resolved, typeText, withoutNull } from "./schema.js";
import { html, useId } from "./view.js";

const LONG_TEXT = 200;
const INPUTS = { date: "date", time: "time", email: "email", uri: "url" };

export function ObjectFields({ schema, root, draft, change, pointer = "", faults }) {
  const required = schema.required ?? [];
  const names = Object.keys(schema.properties ?? {});
  return html`${names.map(
    (name) => html`<${Field}
      key=${name}
      label=${name}
      schema=${schema.properties[name]}
      required=${required.includes(name)}
      root=${root}
      draft=${draft[name] ?? OMIT}
      change=${(next) => change({ ...draft, [name]: next })}
      pointer=${pointerTo(pointer, name)}
      faults=${faults}
    />`,
  )}`;
}

function Field(props) {
  const { schema, root } = props;
  const kind = kindOf(schema, root);
  const Part = { object: Group, list: List, variants: Variants }[kind] ?? Line;
  return html`<${Part} ...${props} kind=${kind} shown=${withoutNull(resolved(schema, root), root)} />`;
}

function Line(props) {
  const { label, schema, shown, required, root, draft, change, pointer, faults, kind } = props;
  const id = useId();
  const wrong = faults.filter((fault) => fault.pointer === pointer);
  const hints = [typeText(schema, root), ...limitTexts(shown).filter((text) => !text.startsWith("one of"))];
  const described = `${id}-text${wrong.length ? ` ${id}-wrong` : ""}`;
  const common = {
    id,
    "aria-describedby": described,
    "aria-invalid": wrong.length ? "true" : undefined,
    "aria-required": required ? "true" : undefined,
    "data-pointer": pointer,
    value: draft ?? "",
    // What is left empty and need not be there is left out.
    onInput: (event) => change(event.currentTarget.value === "" && !required ? OMIT : event.currentTarget.value),
  };
  return html`<div class=${`field${wrong.length ? " field-wrong" : ""}`}>
    <label for=${id}><code>${label}</code>${required && html`<span class="must" aria-hidden="true"> *</span>`}</label>
    ${kind === "choice" ? html`<${Choice} common=${common} choices=${choicesOf(schema, root)} />` : input(kind, shown, common)}
    <p class="hint" id=${`${id}-text`}>
      ${shown.description && html`<${Sentence} text=${shown.description} /> `}
      <span class="type">
        ${hints.join(" · ")}
      </span>
    </p>
    ${wrong.length > 0 &&
    html`
      <p class="wrong" id=${`${id}-wrong`}>
        ${wrong.map((fault) => html`<${Sentence} text=${fault.message} />${expected(fault)} `)}
      </p>
    `}
  </div>`;
}

const expected = (fault) => (fault.suggestion === undefined ? "" : `; try ${JSON.stringify(fault.suggestion)}`);

function input(kind, shown, common) {
  if (kind === "json" || (shown.maxLength ?? 0) > LONG_TEXT)
    return html`<textarea rows="3" spellcheck="false" ...${common} />`;
  if (kind === "number") return html`<input inputmode="decimal" autocomplete="off" ...${common} />`;
  return html`<input type=${INPUTS[shown.format] ?? "text"} autocomplete="off" spellcheck="false" ...${common} />`;
}

const Choice = ({ common, choices }) => html`<select ...${common}>
  ${choices.length !== 1 && html`<option value="">—</option>`}
  ${choices.map((value) => {
    const text = JSON.stringify(value);
    return html`<option key=${text} value=${text}>${typeof value === "string" ? value : text}</option>`;
  })}
  ${choices.length === 1 && html`<option value="">—</option>`}
</select>`;

function Legend({ label, shown, required, draft, change, start }) {
  return html`<legend>
      <code>${label}</code>${required && html`<span class="must" aria-hidden="true"> *</span>`}
      ${
        !required &&
        html`<button type="button" class="quiet small" onClick=${() => change(draft === OMIT ? start() : OMIT)}>
        ${draft === OMIT ? `Add ${label}` : `Leave out ${label}`}
      </button>`
      }
    </legend>
    ${shown.description && html`<p class="hint"><${Sentence} text=${shown.description} /></p>`}`;
}

const Wrong = ({ faults, pointer }) =>
  faults
    .filter((fault) => fault.pointer === pointer)
    .map(
      (fault) => html`<p class="wrong" tabindex="-1" data-pointer=${pointer}><${Sentence} text=${fault.message} /></p>`,
    );

function Group(props) {
  const { shown, root, draft, change, pointer, faults } = props;
  return html`<fieldset>
    <${Legend} ...${props} start=${() => objectDraft(shown, root)} />
    <${Wrong} faults=${faults} pointer=${pointer} />
    ${draft !== OMIT &&
    html`
      <${ObjectFields}
        schema=${shown}
        root=${root}
        draft=${draft}
        change=${change}
        pointer=${pointer}
        faults=${faults}
      />
    `}
  </fieldset>`;
}

function List(props) {
  const { label, shown, root, draft, change, pointer, faults } = props;
  const replace = (index, next) => change(draft.map((item, place) => (place === index ? next : item)));
  return html`<fieldset>
    <${Legend} ...${props} start=${() => [emptyDraft(shown.items, root, true)]} />
    <${Wrong} faults=${faults} pointer=${pointer} />
    ${(draft ?? []).map(
      (item, index) => html`<div class="item" key=${index}>
        <${Field}
          label=${`${label} ${index + 1}`}
          schema=${shown.items}
          required=${true}
          root=${root}
          draft=${item}
          change=${(next) => replace(index, next)}
          pointer=${pointerTo(pointer, index)}
          faults=${faults}
        />
        <button type="button" class="quiet small" onClick=${() => change(draft.filter((_, place) => place !== index))}>
          Remove ${label} ${index + 1}
        </button>
      </div>`,
    )}
    ${
      draft !== OMIT &&
      html`<button type="button" class="quiet small" onClick=${() => change([...draft, emptyDraft(shown.items, root, true)])}>
      Add one more ${label}
    </button>`
    }
  </fieldset>`;
}

function Variants(props) {
  const { label, schema, root, draft, change, required, pointer, faults } = props;
  const id = useId();
  const variants = variantsOf(schema, root);
  const choose = (text) => {
    if (text === "") return change(OMIT);
    const variant = Number(text);
    return change({ variant, draft: emptyDraft(variants[variant].schema, root, true) });
  };
  return html`<fieldset>
    <legend><code>${label}</code>${required && html`<span class="must" aria-hidden="true"> *</span>`}</legend>
    <div class="field">
      <label for=${id}>Kind of ${label}</label>
      <select
        id=${id}
        value=${draft === OMIT ? "" : String(draft.variant)}
        onInput=${(event) => choose(event.currentTarget.value)}
      >
        ${!required && html`<option value="">—</option>`}
        ${variants.map(({ name }, index) => html`<option key=${index} value=${String(index)}>${name}</option>`)}
      </select>
    </div>
    ${
      draft !== OMIT &&
      html`<${Field}
      key=${draft.variant}
      label=${label}
      schema=${variants[draft.variant].schema}
      required=${true}
      root=${root}
      draft=${draft.draft}
      change=${(next) => change({ ...draft, draft: next })}
      pointer=${pointer}
      faults=${faults}
    />`
    }
  </fieldset>`;
}
