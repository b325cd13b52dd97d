import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { mcpClient } from "../support/mcp-client.ts";
import { askAgent } from "./ask-agent.ts";
import { isCallRight } from "./grade.ts";
import { type Question, QUESTIONS, type ToolCall } from "./questions.ts";

const WRONG_USAGE = 2;
/** Of 60. */
const GOAL = 54;

type Options = { base: string; key?: string; seconds: number; json?: boolean };

const command = new Command("npm run -s exam --")
  .description(
    "Gives an agent 60 questions, one by one, with the tools of a running service, and grades its first call by what it gives. The service has to have the showcase, as `npm start` does.",
  )
  .argument(
    "<program...>",
    'the agent: it reads {"question", "instructions", "tools"} as JSON from its input, in an empty folder of its own, and writes one call, {"name", "arguments"}',
  )
  .option("--base <url>", "the service", "http://127.0.0.1:3000")
  .option("--key <key>", "an API key; by default that in TRANCHE_KEY")
  .option("--seconds <n>", "for each answer", seconds, 120)
  .option("--json", "ends with one line, as JSON")
  .passThroughOptions()
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USAGE))
  .parse();
const { base, key = process.env["TRANCHE_KEY"], seconds: within, json } = command.opts<Options>();
if (key === undefined) {
  console.error("There is no key. Give one with --key, or in TRANCHE_KEY; `npm start` prints one.");
  process.exit(WRONG_USAGE);
}

const client = mcpClient(() => base);
const program = command.args as [string, ...string[]];
const right = { easy: 0, hard: 0 };
const { tools, instructions } = await whatClientsGet(key);
for (const [at, question] of QUESTIONS.entries()) {
  const wrong = await whyWrong(key, question);
  if (wrong === undefined) right[question.level]++;
  console.log(
    `${String(at + 1).padStart(2)} ${question.level} ${wrong === undefined ? "right" : "WRONG"}  ${question.question}`,
  );
  if (wrong !== undefined) console.log(`      ${wrong}\n      expected: ${JSON.stringify(question.call)}`);
}
const all = right.easy + right.hard;
console.log(
  `${all} of ${QUESTIONS.length} first calls are right (easy ${right.easy}, hard ${right.hard}); the goal is ${GOAL}.`,
);
if (json)
  console.log(JSON.stringify({ name: "exam", ok: all >= GOAL, questions: QUESTIONS.length, right: all, ...right }));
process.exitCode = all >= GOAL ? 0 : 1;

/** The instructions and tools of the service. */
async function whatClientsGet(of: string): Promise<{ tools: object[]; instructions: string }> {
  const about = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "exam", version: "1" } };
  const begun = (await client.ask(of, "initialize", about)).reply.result as { instructions: string } | undefined;
  const listed = (await client.ask(of, "tools/list")).reply.result as { tools: object[] } | undefined;
  if (!begun || !listed)
    throw new Error(`${client.address()} does not answer: is the service running, and the key right?`);
  return { tools: listed.tools, instructions: begun.instructions };
}

/** Why the first call of the agent is wrong; undefined when it is right. */
async function whyWrong(of: string, question: Question): Promise<string | undefined> {
  let given: ToolCall;
  // With what it left there, one answer could help with the next.
  const folder = await mkdtemp(join(tmpdir(), "tranche-exam-"));
  try {
    const sheet = { question: question.question, instructions, tools };
    given = await askAgent(program, sheet, { folder, withinMs: within * 1000 });
  } catch (error) {
    return `no call: ${(error as Error).message}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const isGood = await isCallRight((name, asked) => client.call(of, name, asked), given, question);
  return isGood ? undefined : `its call: ${JSON.stringify(given)}`;
}

function seconds(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("expected a number of seconds");
  return Number(text);
}
