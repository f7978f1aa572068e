// What the page knows: who looks, as whom, where, and what the server told. Parts read signals and call functions.

import { get, keepToken, listen, Refused } from "./api.js";
import { batch, computed, effect, signal } from "./view.js";

export const MOST_CALLS = 500;
const WAIT = [0, 500, 1000, 2000];

export const overview = signal(null);
export const locked = signal(null); // why there is nothing to see, or null
export const link = signal("connecting"); // connecting, live or lost
export const route = signal(readRoute());
export const identity = signal({ kind: "anonymous", id: "", roles: [], claims: "" });
export const operations = signal([]);
export const report = signal(null);
export const calls = signal([]); // newest first
export const missed = signal(0);
export const heardCalls = signal(0);
export const changes = signal({ count: 0, uris: [] });
export const failure = signal("");
export const draft = signal(null); // arguments that another page hands to the form

export const findings = computed(() => {
  const bySubject = new Map();
  for (const item of report.value?.found ?? []) {
    bySubject.set(item.subject, [...(bySubject.get(item.subject) ?? []), item]);
  }
  return bySubject;
});

export const lookingAs = computed(() => {
  const { kind, id, roles, claims } = identity.value;
  if (kind === "self") return { self: "" };
  if (kind === "anonymous") return {};
  const query = { as: id || "somebody", roles: roles.join(",") };
  return claims ? { ...query, claims } : query;
});

export const actingAs = computed(() => (overview.value?.is_developer ? lookingAs.value : { self: "" }));

export function nameOf({ kind, id, roles }) {
  if (kind === "anonymous") return "an anonymous agent";
  if (kind === "self") return "yourself";
  const held = roles.length ? roles.join(", ") : "no roles";
  return `${id || "somebody"} (${held})`;
}

function readRoute() {
  const [page = "operations", ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  return { page: page || "operations", rest: rest.map(decodeURIComponent) };
}

export function go(...parts) {
  location.hash = `#/${parts.map(encodeURIComponent).join("/")}`;
}

export const hrefOf = (...parts) => `#/${parts.map(encodeURIComponent).join("/")}`;

// Ask, and show what went wrong instead of an answer; a newer question of the same kind makes an older answer void.
const asked = new Map();
export async function ask(kind, path, query, take) {
  const turn = (asked.get(kind) ?? 0) + 1;
  asked.set(kind, turn);
  try {
    const answer = await get(path, query);
    if (asked.get(kind) === turn) take(answer);
    failure.value = "";
  } catch (error) {
    if (asked.get(kind) === turn) failed(error);
  }
}

export function failed(error) {
  if (error instanceof Refused && (error.status === 401 || error.status === 404) && !overview.value) {
    locked.value = error.message;
  } else if (error instanceof Refused) {
    failure.value = [error.message, error.problem.fix].filter(Boolean).join(": ");
  } else {
    failure.value = "the server does not answer; the page tries again by itself";
  }
}

export async function open(token) {
  if (token !== undefined) keepToken(token);
  locked.value = null;
  await ask("overview", "overview", {}, (answer) => {
    batch(() => {
      overview.value = answer;
      if (!restoreIdentity(answer)) identity.value = ownIdentity(answer);
    });
    document.title = `${answer.title} · console`;
  });
  if (overview.value) follow();
}

function ownIdentity({ you }) {
  if (!you.id) return { kind: "anonymous", id: "", roles: [], claims: "" };
  return { kind: "account", id: you.id, roles: you.roles, claims: "" };
}

const IDENTITY = "afford-console-identity";
function restoreIdentity(answer) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(IDENTITY));
    if (kept?.app !== answer.name) return false;
    identity.value = { ...kept.identity, roles: kept.identity.roles.filter((role) => answer.roles.includes(role)) };
    return true;
  } catch {
    return false;
  }
}

export function lookAs(changed) {
  identity.value = { ...identity.value, ...changed };
  sessionStorage.setItem(IDENTITY, JSON.stringify({ app: overview.value.name, identity: identity.value }));
}

// Calls come in messages of many; the page is drawn once for each message.
function take(event, data) {
  if (event === "hello") {
    link.value = "live";
    if (overview.value.boot !== data.boot || overview.value.epoch !== data.epoch) refresh(data);
  } else if (event === "calls") {
    batch(() => {
      calls.value = [...data.calls.reverse(), ...calls.value].slice(0, MOST_CALLS);
      heardCalls.value += data.calls.length;
      missed.value += data.missed;
    });
  } else if (event === "changed") {
    if (data.epoch !== overview.value.epoch || data.kinds.includes("tools")) refresh(data);
    changes.value = { count: changes.value.count + 1, uris: data.uris };
  }
}

function refresh({ boot, epoch }) {
  batch(() => {
    // Another process counts its calls from the start.
    if (boot && boot !== overview.value.boot) calls.value = [];
    overview.value = { ...overview.value, boot: boot ?? overview.value.boot, epoch };
    changes.value = { count: changes.value.count + 1, uris: null };
  });
  ask("overview", "overview", {}, (answer) => (overview.value = answer));
}

let following = null;
async function follow() {
  following?.abort();
  const control = (following = new AbortController());
  for (let tries = 0; !control.signal.aborted; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, WAIT[Math.min(tries, WAIT.length - 1)]));
    const after = calls.value[0]?.number ?? 0;
    try {
      await listen({ boot: overview.value.boot, after }, control.signal, (event, data) => {
        tries = 0;
        take(event, data);
      });
    } catch (error) {
      if (error instanceof Refused && error.status !== 503) failed(error);
    }
    link.value = "lost";
  }
}

export function start() {
  addEventListener("hashchange", () => (route.value = readRoute()));
  effect(() => {
    const { value } = overview;
    if (!value) return;
    // Whatever changes in the catalog or the identity is another list.
    void value.epoch;
    void value.boot;
    ask("operations", "operations", lookingAs.value, (answer) => (operations.value = answer.operations));
  });
  effect(() => {
    if (overview.value) ask("report", "findings", {}, (answer) => (report.value = answer));
  });
  open();
}
