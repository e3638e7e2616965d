// A server on the official TypeScript SDK whose arguments use what zod can say in JSON Schema. Run with MCP_SIM_NODE_MODULES set.
import { createRequire } from "node:module";
import { resolve } from "node:path";

const require = createRequire(resolve(process.env.MCP_SIM_NODE_MODULES ?? "node_modules", "..", "here.js"));
const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");
const { StdioServerTransport } = require("@modelcontextprotocol/sdk/server/stdio.js");
const { z } = require("zod");

const server = new McpServer({ name: "zod", version: "1" });
const answer = async () => ({ content: [{ type: "text", text: "ok" }] });
const fields = {
  name: z.string().min(3).max(5).regex(/^a[/]b\/c/),
  exact: z.string().length(4),
  number: z.number().min(1).max(10),
  open: z.number().gt(0).lt(1),
  integer: z.number().int(),
  positive: z.number().int().positive(),
  step: z.number().multipleOf(5),
  list: z.array(z.string()).min(2).max(3),
  three: z.array(z.number()).length(3),
  pair: z.tuple([z.string(), z.number()]),
  literal: z.literal("x"),
  literals: z.literal([1, "a", true, null]),
  choice: z.enum(["a", "b", "c"]),
  nullable: z.string().min(2).nullable(),
  nullish: z.number().nullish(),
  union: z.union([z.string().min(5), z.number()]),
  mixed: z.union([z.string(), z.object({ a: z.number() })]),
  record: z.record(z.string(), z.number()),
  keyed: z.record(z.string().regex(/^x/), z.number()),
  chosen: z.partialRecord(z.enum(["k1", "k2"]), z.number()),
  strict: z.object({ a: z.string() }).strict(),
  plain: z.object({ "odd-key": z.object({ b: z.array(z.object({ c: z.number() })) }) }),
  either: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("one"), a: z.string() }),
    z.object({ kind: z.literal("two"), b: z.number() }),
  ]),
  email: z.email(),
  uuid: z.uuid(),
  time: z.iso.datetime(),
  address: z.ipv4(),
  flag: z.boolean().default(false),
  never: z.never(),
};
const optional = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, type.optional()]));

server.registerTool("optional", { inputSchema: optional }, answer);
server.registerTool("needed", { inputSchema: { ...fields, never: z.never().optional() } }, answer);
server.registerTool("strict", { inputSchema: z.object({ a: z.string(), b: z.number() }).strict() }, answer);
await server.connect(new StdioServerTransport());
