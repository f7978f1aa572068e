// The console's own interface: JSON, and one stream of events. Knows the credential and nothing of what is shown.

const KEY = "afford-console-token";
const API = new URL("console/api/", document.baseURI);

export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || `the server answered ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

// The address carries the token once, in its fragment, which no server is sent; then it is taken out of sight.
export function takeToken() {
  const found = /^#token=([^&]+)/.exec(location.hash);
  if (found) {
    sessionStorage.setItem(KEY, decodeURIComponent(found[1]));
    history.replaceState(null, "", `${location.pathname}${location.search}#/operations`);
  }
}

export function keepToken(token) {
  if (token) sessionStorage.setItem(KEY, token);
  else sessionStorage.removeItem(KEY);
}

function headers(more = {}) {
  const token = sessionStorage.getItem(KEY);
  return token ? { Authorization: `Bearer ${token}`, ...more } : more;
}

function address(path, query) {
  const url = new URL(path, API);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

async function read(answer) {
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, body);
  return body;
}

export async function get(path, query = {}) {
  return read(await fetch(address(path, query), { headers: headers() }));
}

export async function post(path, query, body) {
  const sent = { method: "POST", headers: headers({ "Content-Type": "application/json" }), body };
  return read(await fetch(address(path, query), sent));
}

// One connection of the event stream; ends when the server or the signal ends it. `EventSource` sends no credential.
export async function listen(query, signal, heard) {
  const answer = await fetch(address("events", query), { headers: headers(), signal });
  if (!answer.ok) await read(answer);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const messages = (rest + value).split("\n\n");
    rest = messages.pop();
    for (const message of messages) {
      const found = /^event: (\w+)\ndata: (.*)$/.exec(message);
      if (found) heard(found[1], JSON.parse(found[2]));
    }
  }
}
