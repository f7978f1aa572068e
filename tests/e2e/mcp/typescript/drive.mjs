// Does a job with an official TypeScript client: `node drive.mjs PACKAGE < job.json > outcomes.json`. See jobs.py.
import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";

const name = process.argv[2];
const v2 = name === "@modelcontextprotocol/client";
const { Client } = await import(v2 ? name : `${name}/client/index.js`);
const { StreamableHTTPClientTransport: Http } = await import(v2 ? name : `${name}/client/streamableHttp.js`);
const { StdioClientTransport: Stdio } = await import(v2 ? `${name}/stdio` : `${name}/client/stdio.js`);
const types = v2 ? undefined : await import(`${name}/types.js`);

const ELICIT = v2 ? "elicitation/create" : types.ElicitRequestSchema;
const UPDATED = v2 ? "notifications/resources/updated" : types.ResourceUpdatedNotificationSchema;
const PATIENCE = 60_000;

function prepared({ era, url, headers, command, env }, answers) {
  const transport = url
    ? new Http(new URL(url), { requestInit: { headers } })
    : new Stdio({ command: command[0], args: command.slice(1), env: { ...process.env, ...env }, stderr: "ignore" });
  const options = { capabilities: { elicitation: {} } };
  if (v2) options.versionNegotiation = { mode: era === "modern" ? "auto" : "legacy" };
  const client = new Client({ name: "driver", version: "1.0.0" }, options);
  client.setRequestHandler(ELICIT, async ({ params }) => {
    const fields = Object.keys(params.requestedSchema.properties);
    return { action: "accept", content: Object.fromEntries(fields.map((field) => [field, answers[field]])) };
  });
  return [client, transport];
}

const call = (client, params, options) =>
  v2 ? client.callTool(params, options) : client.callTool(params, undefined, options);

const verbs = {
  async server(client, _params, transport) {
    return {
      version: v2 ? client.getNegotiatedProtocolVersion() : transport.protocolVersion,
      info: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
    };
  },
  list_tools: (client) => client.listTools(),
  call: (client, params) => client.callTool(params),
  async walk(client, { name, arguments: first }) {
    const pages = [];
    for (let cursor; pages.length === 0 || cursor; ) {
      const page = await client.callTool({ name, arguments: cursor ? { ...first, cursor } : first });
      pages.push(page);
      cursor = page.structuredContent.next_cursor;
    }
    return pages;
  },
  list_resources: (client) => client.listResources(),
  list_templates: (client) => client.listResourceTemplates(),
  read: (client, params) => client.readResource(params),
  list_prompts: (client) => client.listPrompts(),
  get_prompt: (client, params) => client.getPrompt(params),
  complete: (client, { prompt, argument }) => client.complete({ ref: { type: "ref/prompt", name: prompt }, argument }),
  async progress(client, params) {
    const reports = [];
    await call(client, params, { onprogress: ({ progress, total, message }) => reports.push([progress, total, message]) });
    return reports;
  },
  async cancel(client, params) {
    const token = randomUUID();
    const stop = new AbortController();
    const options = { onprogress: () => stop.abort(), signal: stop.signal };
    await call(client, { name: params.call, arguments: { token } }, options).catch(() => {});
    return client.callTool({ name: params.then, arguments: { token } });
  },
  async watch(client, { uri, call }, transport, era) {
    const told = new Promise((resolve, reject) => {
      client.setNotificationHandler(UPDATED, async ({ params }) => resolve(params.uri));
      setTimeout(() => reject(new Error("nothing was told")), PATIENCE).unref();
    });
    const listening = era === "modern" ? await client.listen({ resourceSubscriptions: [uri] }) : undefined;
    if (!listening) await client.subscribeResource({ uri });
    await client.callTool(call);
    const found = await told;
    await listening?.close();
    return found;
  },
};

async function outcomes(connection, { steps, answers }) {
  const [client, transport] = prepared(connection, answers);
  await client.connect(transport);
  const found = [];
  for (const [verb, params] of steps) {
    if (connection.cannot.includes(verb)) {
      found.push(null);
      continue;
    }
    try {
      found.push({ result: await verbs[verb](client, params, transport, connection.era) });
    } catch (error) {
      found.push({ error: { code: error.code ?? null, message: String(error.message), data: error.data ?? null } });
    }
  }
  await client.close();
  return found;
}

const job = JSON.parse(await text(process.stdin));
const all = {};
for (const [label, connection] of Object.entries(job.connections)) {
  all[label] = await outcomes(connection, job).catch((error) => ({ failed: String(error.stack) }));
}
process.stdout.write(JSON.stringify(all), () => process.exit(0));
