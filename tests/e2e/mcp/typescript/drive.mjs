// Does a job with an official TypeScript client: `node drive.mjs PACKAGE < job.json > outcomes.json`. See jobs.py.
import { text } from "node:stream/consumers";

const name = process.argv[2];
const v2 = name === "@modelcontextprotocol/client";
const { Client } = await import(v2 ? name : `${name}/client/index.js`);
const { StreamableHTTPClientTransport: Http } = await import(v2 ? name : `${name}/client/streamableHttp.js`);
const { StdioClientTransport: Stdio } = await import(v2 ? `${name}/stdio` : `${name}/client/stdio.js`);

function connected({ era, url, headers, command, env }) {
  const transport = url
    ? new Http(new URL(url), { requestInit: { headers } })
    : new Stdio({ command: command[0], args: command.slice(1), env: { ...process.env, ...env }, stderr: "ignore" });
  const options = v2 ? { versionNegotiation: { mode: era === "modern" ? "auto" : "legacy" } } : {};
  return [new Client({ name: "driver", version: "1.0.0" }, options), transport];
}

const verbs = {
  async server(client, transport) {
    return {
      version: v2 ? client.getNegotiatedProtocolVersion() : transport.protocolVersion,
      info: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
    };
  },
  list_tools: (client) => client.listTools(),
  call: (client, _transport, params) => client.callTool(params),
  async walk(client, _transport, { name, arguments: first }) {
    const pages = [];
    for (let cursor; pages.length === 0 || cursor; ) {
      const page = await client.callTool({ name, arguments: cursor ? { ...first, cursor } : first });
      pages.push(page);
      cursor = page.structuredContent.next_cursor;
    }
    return pages;
  },
};

async function outcomes(connection, steps) {
  const [client, transport] = connected(connection);
  await client.connect(transport);
  const found = [];
  for (const [verb, params] of steps) {
    try {
      found.push({ result: await verbs[verb](client, transport, params) });
    } catch (error) {
      found.push({ error: { code: error.code ?? null, message: String(error.message) } });
    }
  }
  await client.close();
  return found;
}

const job = JSON.parse(await text(process.stdin));
const all = {};
for (const [label, connection] of Object.entries(job.connections)) {
  all[label] = await outcomes(connection, job.steps).catch((error) => ({ failed: String(error.stack) }));
}
process.stdout.write(JSON.stringify(all));
process.exit(0);
