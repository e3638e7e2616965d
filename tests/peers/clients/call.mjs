// Lists the tools of a server and makes calls, with the TypeScript SDK; prints what it saw as JSON.
// Arguments: the SDK's folder, and {"command": [...]} or {"url": "..."} with "calls": [{"name", "arguments"}].
import { pathToFileURL } from "node:url";

const [sdk, told] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${sdk}/dist/esm/client/${name}.js`));
const { Client } = await load("index");
const { StdioClientTransport } = await load("stdio");
const { StreamableHTTPClientTransport } = await load("streamableHttp");

const { command, url, calls } = JSON.parse(told);
const transport = command
  ? new StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env })
  : new StreamableHTTPClientTransport(new URL(url));
const client = new Client({ name: "test", version: "0" });
await client.connect(transport);
const { tools } = await client.listTools();
const results = [];
for (const call of calls) results.push(await client.callTool(call));
await client.close();
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), results }));
