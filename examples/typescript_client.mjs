// A TypeScript SDK client (npm install @modelcontextprotocol/sdk) on mcp-sim over stdio.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: "mcp-sim", args: ["serve", "memory"] }));

await client.callTool({
  name: "create_entities",
  arguments: { entities: [{ name: "Mira", entityType: "person", observations: ["prefers tea"] }] },
});
const found = await client.callTool({ name: "search_nodes", arguments: { query: "tea" } });
console.log(found.structuredContent.entities.map((entity) => entity.name).join(", "));
await client.close();
