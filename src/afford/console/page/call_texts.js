// One call as it is spelled for HTTP, MCP and the shell. Pure.

const quoted = (text) => `'${String(text).replace(/'/g, "'\\''")}'`;
const word = (text) => (/^[A-Za-z0-9_.,:/@%+=-]+$/.test(text) ? text : quoted(text));

// Everything that `encodeURIComponent` leaves and the server's own encoder does not.
const escaped = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const spelled = (value) => (typeof value === "string" ? value : JSON.stringify(value));

export function queryOf(call) {
  const pairs = Object.entries({ ...call.arguments, ...call.page }).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.map((item) => [`${name}[]`, item]);
    if (value !== null && typeof value === "object" && !isRaw(value)) {
      return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, item]);
    }
    return [[name, value]];
  });
  return pairs.map(([name, value]) => `${escaped(name)}=${escaped(spelled(value))}`).join("&");
}

const isRaw = (value) => JSON.isRawJSON?.(value) ?? false;

export function asCurl(call, operation, base) {
  const url = `${base}/${operation.name}`;
  const credential = `-H "Authorization: Bearer $TOKEN"`;
  if (["query", "static"].includes(operation.kind)) {
    const query = queryOf(call);
    return `curl ${credential} \\\n  ${quoted(query ? `${url}?${query}` : url)}`;
  }
  return `curl ${credential} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(call.arguments))} \\\n  ${quoted(url)}`;
}

export function asMcp(call, operation) {
  const params = { name: operation.name, arguments: { ...call.arguments, ...call.page } };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, null, 2);
}

export function asShell(call, operation, identity) {
  const parts = ["afford call", "APP", operation.name];
  const values = Object.entries(call.arguments);
  if (values.every(([, value]) => isPlain(value))) {
    parts.push(...values.flatMap(([name, value]) => [value].flat().map((item) => word(`${name}=${spelled(item)}`))));
  } else {
    parts.push("--json-args", quoted(JSON.stringify(call.arguments)));
  }
  if (identity.kind === "account") {
    parts.push("--as", word(identity.id || "somebody"));
    if (identity.roles.length) parts.push("--roles", identity.roles.join(","));
    for (const [name, value] of Object.entries(claimsOf(identity.claims)))
      parts.push("--claim", word(`${name}=${spelled(value)}`));
  }
  for (const [question, answer] of Object.entries(call.answers)) {
    for (const [field, value] of Object.entries(answer))
      parts.push("--answer", word(`${question}.${field}=${spelled(value)}`));
  }
  for (const [name, value] of Object.entries(call.page)) parts.push(`--${name}`, word(spelled(value)));
  return parts.join(" ");
}

const isScalar = (value) => value !== null && (typeof value !== "object" || isRaw(value));
const isPlain = (value) => (Array.isArray(value) ? value.length > 1 && value.every(isScalar) : isScalar(value));

function claimsOf(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
