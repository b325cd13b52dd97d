import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

type CallFrame = { functionName: string; url: string };
/** A CPU profile of V8. Times are in µs. */
type CpuProfile = {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
};

/** The share of a process's busy time that was spent in one part of it. */
export type Share = { part: string; percent: number };

/** The profiles in a folder that were written since `since` (ms, as of `Date.now()`). */
export function profilesSince(folder: string, since: number): CpuProfile[] {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const written = files.filter((file) => file.endsWith(".cpuprofile") && statSync(file).mtimeMs >= since);
  return written.map((file) => JSON.parse(readFileSync(file, "utf8")) as CpuProfile);
}

/** Where the time went, the largest share first. The first half of each profile is left out: the process starts and warms up in it. */
export function sharesOf(profiles: readonly CpuProfile[]): Share[] {
  const spent = new Map<string, number>();
  for (const { nodes, samples, timeDeltas } of profiles) {
    const stacks = stacksOf(nodes);
    for (let i = Math.ceil(samples.length / 2); i < samples.length; i++) {
      const part = partOf(stacks(samples[i]!));
      if (part !== undefined) spent.set(part, (spent.get(part) ?? 0) + timeDeltas[i]!);
    }
  }
  const total = [...spent.values()].reduce((sum, time) => sum + time, 0);
  const shares = [...spent].map(([part, time]) => ({ part, percent: (100 * time) / total }));
  return shares.sort((a, b) => b.percent - a.percent);
}

/** Gives the call frames of a node, the innermost first. */
function stacksOf(nodes: CpuProfile["nodes"]): (id: number) => readonly CallFrame[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  return (id) => {
    const stack: CallFrame[] = [];
    for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) stack.push(frames.get(at)!);
    return stack;
  };
}

const SYSTEM_CALLS = new Set(["writev", "writeBuffer", "writeUtf8String", "writeLatin1String"]);

/** The part that the innermost frame with a file belongs to; undefined when the process was idle. */
function partOf(stack: readonly CallFrame[]): string | undefined {
  const { functionName } = stack[0]!;
  if (functionName === "(idle)" || functionName === "(program)") return undefined;
  if (functionName === "(garbage collector)") return "garbage collection";
  if (SYSTEM_CALLS.has(functionName)) return `writing to ${receiverOf(stack)} (system call)`;
  const inFile = stack.find(({ url }) => url !== "");
  return inFile ? partOfFile(inFile.url) : "Node itself";
}

function receiverOf(stack: readonly CallFrame[]): string {
  if (stack.some(({ url }) => url.includes("/undici/"))) return "Elasticsearch";
  return stack.some(({ url }) => /\/ioredis\/|\/redis\//.test(url)) ? "Redis" : "callers";
}

function partOfFile(url: string): string {
  if (url.startsWith("node:")) return /http/.test(url) ? "Node's HTTP" : "Node itself";
  if (url.startsWith("wasm:")) return "undici";
  const inPackage = url.split("/node_modules/").slice(1).at(-1);
  if (inPackage === undefined) return /\/((?:apps|libs)\/[^/]+\/[^/]+)\//.exec(url)?.[1] ?? "Tranche";
  return inPackage.split("/", inPackage.startsWith("@") ? 2 : 1).join("/");
}
