import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { mcpClient } from "../support/mcp-client.ts";
import { askAgent } from "./ask-agent.ts";
import { isRight, outcomeOf } from "./outcome.ts";
import { type Question, QUESTIONS, type ToolCall } from "./questions.ts";

const WRONG_USAGE = 2;
/** Of 60. */
const GOAL = 54;

type Options = { base: string; key?: string; seconds: number; json?: boolean };

const command = new Command("npm run -s exam --")
  .description(
    "Gives an agent 60 questions, one by one, with the tools of a running service, and grades its first call by the rows and the count that it gives. The service has to have the showcase, as `npm start` does.",
  )
  .argument(
    "<program...>",
    'the agent: it reads {"question", "instructions", "tools"} as JSON from its input, in an empty folder, and writes one call, {"name", "arguments"}',
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
const folder = await mkdtemp(join(tmpdir(), "tranche-exam-"));
const right = { easy: 0, hard: 0 };
try {
  const { tools, instructions } = await whatClientsGet(key);
  for (const [at, question] of QUESTIONS.entries()) {
    const wrong = await gradedBy(key, question, () =>
      askAgent(program, { question: question.question, instructions, tools }, { folder, withinMs: within * 1000 }),
    );
    if (wrong === undefined) right[question.level]++;
    console.log(
      `${String(at + 1).padStart(2)} ${question.level} ${wrong === undefined ? "right" : "WRONG"}  ${question.question}`,
    );
    if (wrong !== undefined) console.log(`      ${wrong}\n      expected: ${JSON.stringify(question.call)}`);
  }
} finally {
  await rm(folder, { recursive: true });
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

/** Why the first call of an agent is wrong; undefined when it is right. */
async function gradedBy(
  of: string,
  { call, grade }: Question,
  ask: () => Promise<ToolCall>,
): Promise<string | undefined> {
  let given: ToolCall;
  try {
    given = await ask();
  } catch (error) {
    return `no call: ${(error as Error).message}`;
  }
  const [expected, answer] = [
    outcomeOf(await client.call(of, call.name, call.arguments)),
    await client.call(of, given.name, given.arguments).catch((error: Error) => error),
  ];
  if (!expected)
    throw new Error(
      `The call that answers it fails here: ${JSON.stringify(call)}. Does the service have the showcase?`,
    );
  const isGood = !(answer instanceof Error) && isRight(outcomeOf(answer), expected, grade);
  return isGood ? undefined : `its call: ${JSON.stringify(given)}`;
}

function seconds(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("expected a number of seconds");
  return Number(text);
}
