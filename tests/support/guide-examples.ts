import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const GUIDES = join(import.meta.dirname, "../../docs/guides");
const FENCE = /^```(\S+)\n([^]*?)^```\n/gm;
/** Languages of examples that a reader runs; blocks that follow each other are the same in several languages. */
const RUNNABLE = new Set(["sh", "ts", "python", "js"]);

/** Code of a guide, and what the guide says that it prints: lines, or JSON that may leave members out. */
export type GuideExample = {
  guide: string;
  /** Line of the guide where the code begins. */
  line: number;
  language: "sh" | "ts" | "python" | "js";
  code: string;
  prints: { lines: string } | { json: unknown } | undefined;
};

/** Every example of the guides. Output is in the block after the code, directly or below a sentence. */
export function guideExamples(): GuideExample[] {
  return globSync("*.md", { cwd: GUIDES })
    .toSorted()
    .flatMap((guide) => examplesOf(guide, readFileSync(join(GUIDES, guide), "utf8")));
}

type Block = { language: string; content: string; line: number; before: string };

function examplesOf(guide: string, page: string): GuideExample[] {
  let end = 0;
  const blocks = [...page.matchAll(FENCE)].map((match): Block => {
    const [whole, language, content] = match as unknown as [string, string, string];
    const before = page.slice(end, match.index);
    end = match.index + whole.length;
    return { language, content, before, line: page.slice(0, match.index).split("\n").length };
  });
  return blocks.flatMap(({ language, content, line }, n) => {
    if (!RUNNABLE.has(language)) return [];
    const prints = printed(outputAfter(blocks, n), language);
    return [{ guide, line, language: language as GuideExample["language"], code: content, prints }];
  });
}

/** The block after this one and the same code in other languages. */
function outputAfter(blocks: readonly Block[], n: number): Block | undefined {
  const next = blocks[n + 1];
  if (next === undefined || !RUNNABLE.has(next.language)) return next && belongs(next.before) ? next : undefined;
  return next.before.trim() === "" ? outputAfter(blocks, n + 1) : undefined;
}

/** Output is directly below the code, or below one line of text. */
const belongs = (text: string): boolean => !text.includes("#") && text.trim().split("\n").length === 1;

function printed(block: Block | undefined, language: string): GuideExample["prints"] {
  if (block?.language === "text") return { lines: block.content.trim() };
  // TypeScript and Python print objects in forms of their own.
  if (block?.language !== "json" || language !== "sh") return undefined;
  return { json: JSON.parse(block.content) as unknown };
}
