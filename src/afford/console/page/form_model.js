// From a schema to a form and from what was filled in to JSON. Pure.
//
// A draft is what stands in the form: text for text and numbers, objects of drafts, lists of drafts. `OMIT` is what was
// left out. Nothing is judged here: what is wrong is sent as it is, and the server says so.

import { allowsNull, branches, isNull, resolved, typeText, withoutNull } from "./schema.js";

export const OMIT = null;

export function kindOf(given, root) {
  const schema = withoutNull(resolved(given, root), root);
  if (schema.enum || "const" in schema) return "choice";
  const parts = branches(schema);
  if (parts) return parts.every((part) => "const" in resolved(part, root)) ? "choice" : "variants";
  if (schema.type === "boolean") return "choice";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "string") return "text";
  if (schema.type === "array" && schema.items) return "list";
  if (schema.properties) return "object";
  return "json";
}

export function choicesOf(given, root) {
  const schema = withoutNull(resolved(given, root), root);
  const nulls = allowsNull(resolved(given, root), root) ? [null] : [];
  if (schema.enum) return [...schema.enum.filter((value) => value !== null), ...nulls];
  if ("const" in schema) return [schema.const];
  if (schema.type === "boolean") return [true, false, ...nulls];
  return (branches(schema) ?? []).map((part) => resolved(part, root).const);
}

export function variantsOf(given, root) {
  const schema = resolved(given, root);
  return branches(schema)
    .filter((part) => !isNull(resolved(part, root)))
    .map((part, index) => ({
      schema: part,
      name: variantName(part, root) || `${typeText(part, root)}, kind ${index + 1}`,
    }));
}

// A title, or the member that tells variants apart, or a type that needs no more words.
function variantName(given, root) {
  const schema = resolved(given, root);
  if (schema.title) return schema.title;
  const fixed = Object.entries(schema.properties ?? {}).find(([, part]) => "const" in part);
  if (fixed) return `${fixed[0]} ${JSON.stringify(fixed[1].const)}`;
  return schema.properties ? "" : typeText(schema, root);
}

export function emptyDraft(given, root, required) {
  if (!required) return OMIT;
  const kind = kindOf(given, root);
  if (kind === "object") return objectDraft(withoutNull(resolved(given, root), root), root);
  if (kind === "list") return [];
  if (kind === "variants") return { variant: 0, draft: emptyDraft(variantsOf(given, root)[0].schema, root, true) };
  if (kind === "choice") return choicesOf(given, root).length === 1 ? JSON.stringify(choicesOf(given, root)[0]) : "";
  return "";
}

export function objectDraft(schema, root) {
  const required = schema.required ?? [];
  const names = Object.keys(schema.properties ?? {});
  return Object.fromEntries(
    names.map((name) => [name, emptyDraft(schema.properties[name], root, required.includes(name))]),
  );
}

// The draft that shows a value, such as an example's.
export function draftOf(value, given, root) {
  if (value === undefined) return OMIT;
  const kind = kindOf(given, root);
  const schema = withoutNull(resolved(given, root), root);
  if (kind === "choice") return JSON.stringify(value);
  if (kind === "object" && isObject(value)) {
    const names = Object.keys(schema.properties);
    return Object.fromEntries(names.map((name) => [name, draftOf(value[name], schema.properties[name], root)]));
  }
  if (kind === "list" && Array.isArray(value)) return value.map((item) => draftOf(item, schema.items, root));
  if (kind === "variants") {
    const variants = variantsOf(given, root);
    const fits = variants.findIndex(({ schema: part }) => looksLike(value, resolved(part, root)));
    const variant = Math.max(fits, 0);
    return { variant, draft: draftOf(value, variants[variant].schema, root) };
  }
  return kind === "text" && typeof value === "string" ? value : JSON.stringify(value);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function looksLike(value, schema) {
  if (isObject(value)) {
    const names = Object.keys(schema.properties ?? {});
    const fixed = names.every(
      (name) => !("const" in schema.properties[name]) || schema.properties[name].const === value[name],
    );
    return names.length > 0 && fixed && Object.keys(value).every((name) => names.includes(name));
  }
  if (Array.isArray(value)) return schema.type === "array";
  return schema.type === typeof value || (schema.type === "integer" && Number.isInteger(value));
}

// The JSON value of a draft; undefined: it is left out.
export function valueOf(draft, given, root) {
  if (draft === OMIT) return undefined;
  const kind = kindOf(given, root);
  const schema = withoutNull(resolved(given, root), root);
  if (kind === "object") {
    const members = Object.entries(draft).map(([name, item]) => [name, valueOf(item, schema.properties[name], root)]);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }
  if (kind === "list")
    return draft.map((item) => valueOf(item, schema.items, root)).filter((value) => value !== undefined);
  if (kind === "variants") return valueOf(draft.draft, variantsOf(given, root)[draft.variant].schema, root);
  if (kind === "text") return draft;
  if (draft === "") return undefined;
  return kind === "number" ? numberOf(draft) : parsed(draft);
}

// A number keeps the digits that were typed, where the browser can carry them; what is none stays text.
function numberOf(text) {
  const trimmed = text.trim();
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed)) return text;
  const value = Number(trimmed);
  const exact = Number.isSafeInteger(value) || /[.eE]/.test(trimmed);
  return exact || !JSON.rawJSON ? value : JSON.rawJSON(trimmed);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
