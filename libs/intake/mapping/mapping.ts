import { z } from "zod";
import { BadMapping } from "./bad-mapping.ts";
import { mappingProblems } from "./check.ts";
import { type Mapping, mappingSchema, type Question } from "./schema.ts";

const checkedSchema = mappingSchema.superRefine((mapping, context) => {
  for (const { path, message } of mappingProblems(mapping)) context.addIssue({ code: "custom", path, message });
});

/** Reads a mapping. Throws BadMapping that names everything wrong in it; `name` precedes the problems. */
export function parseMapping(content: unknown, name = "mapping"): Mapping {
  const parsed = checkedSchema.safeParse(content);
  if (!parsed.success) throw new BadMapping(`${name}:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Throws BadMapping where the mapping leaves something open, with each question and how to answer it. */
export function assertAnswered({ questions }: Mapping, name: string): void {
  if (questions.length === 0) return;
  const [first] = questions;
  throw new BadMapping(
    [
      `${name}: ${questions.length === 1 ? "a question is" : `${questions.length} questions are`} open:`,
      ...questions.map(questionText),
      `Answer with \`ops ingest --suggest-map FILE --answer ${answerExample(first!)}\`, once for each question. Or change the mapping at the place named, and take the question out of "questions".`,
    ].join("\n"),
  );
}

/** A question as people read it, with its possible answers. */
export function questionText({ id, column, question, answers, free, place }: Question): string {
  const choices = Object.entries(answers).map(([answer, meaning]) => `    ${answer}: ${meaning}`);
  return [
    `- ${id}${column === undefined ? "" : ` (column '${column}')`}: ${question}`,
    ...choices,
    ...(free === undefined ? [] : [`    or ${free}`]),
    ...(place === undefined ? [] : [`    in the mapping: ${place}`]),
  ].join("\n");
}

/** An answer as the command line takes it. */
function answerExample({ id, answers, free }: Question): string {
  const answer = free?.includes("=") ? free : (Object.keys(answers)[0] ?? "");
  return /^[\w.=,-]+$/.test(answer) ? `${id}=${answer}` : `"${id}=${answer}"`;
}
