// JSON Schemas, read: what a place holds, in words. Pure.

export function resolved(schema, root) {
  let found = schema;
  for (let steps = 0; typeof found?.$ref === "string" && steps < 20; steps += 1) {
    const path = found.$ref.replace(/^#\/?/, "").split("/").filter(Boolean);
    const target = path.reduce(
      (at, key) => at?.[decodeURIComponent(key).replace(/~1/g, "/").replace(/~0/g, "~")],
      root,
    );
    const { $ref, ...beside } = found;
    found = target === undefined ? beside : { ...target, ...beside };
  }
  if (found === true || found === undefined) return {};
  return found === false ? { not: {} } : found;
}

export const branches = (schema) => schema.anyOf ?? schema.oneOf ?? null;

export function isNull(schema) {
  return schema?.type === "null" || schema?.const === null;
}

// The schema without its null, where there is one other branch; most optional values are spelled so.
export function withoutNull(schema, root) {
  const parts = branches(schema)?.map((part) => resolved(part, root));
  if (parts?.length === 2 && parts.some(isNull)) {
    const { anyOf, oneOf, ...beside } = schema;
    return { ...parts.find((part) => !isNull(part)), ...beside };
  }
  if (Array.isArray(schema.type) && schema.type.includes("null")) {
    const rest = schema.type.filter((type) => type !== "null");
    return { ...schema, type: rest.length === 1 ? rest[0] : rest };
  }
  return schema;
}

export function allowsNull(schema, root) {
  if (isNull(schema) || (Array.isArray(schema.type) && schema.type.includes("null"))) return true;
  return (branches(schema) ?? []).some((part) => isNull(resolved(part, root)));
}

export function typeText(given, root) {
  const schema = resolved(given, root);
  if ("const" in schema) return JSON.stringify(schema.const);
  const parts = branches(schema);
  if (parts) return parts.map((part) => typeText(part, root)).join(" or ");
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : schema.type;
  if (type === "array") return `list of ${schema.items ? typeText(schema.items, root) : "anything"}`;
  return type ?? (schema.enum ? "choice" : schema.properties ? "object" : "anything");
}

const LIMITS = [
  ["minimum", "≥ "],
  ["exclusiveMinimum", "> "],
  ["maximum", "≤ "],
  ["exclusiveMaximum", "< "],
  ["multipleOf", "multiple of "],
  ["minLength", "characters ≥ "],
  ["maxLength", "characters ≤ "],
  ["minItems", "items ≥ "],
  ["maxItems", "items ≤ "],
  ["pattern", "matches "],
  ["format", "format "],
];

// A date is a date: the pattern that keeps its year to four digits tells people nothing more.
const KNOWN_FORMATS = ["date", "date-time", "time", "uuid"];

export function limitTexts(schema) {
  const stated = LIMITS.filter(
    ([key]) => schema[key] !== undefined && !(key === "pattern" && KNOWN_FORMATS.includes(schema.format)),
  );
  const texts = stated.map(
    ([key, words]) => `${words}${schema[key] === Number.MAX_SAFE_INTEGER ? "2^53 - 1" : schema[key]}`,
  );
  if (schema.uniqueItems) texts.push("no item twice");
  if (schema.enum) texts.push(`one of ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`);
  if (schema.default !== undefined) texts.push(`default ${JSON.stringify(schema.default)}`);
  return texts;
}

// What can be unfolded below a place: its members, or those of its items or branches.
export function membersOf(given, root) {
  const schema = withoutNull(resolved(given, root), root);
  if (schema.properties) return { object: schema, path: "" };
  if (schema.type === "array" && schema.items) {
    const items = membersOf(schema.items, root);
    return items && { ...items, path: `/items${items.path}` };
  }
  const parts = branches(schema)
    ?.map((part) => resolved(part, root))
    .filter((part) => part.properties);
  return parts?.length ? { alternatives: parts, path: "" } : null;
}

export const pointerTo = (base, name) => `${base}/${String(name).replace(/~/g, "~0").replace(/\//g, "~1")}`;
