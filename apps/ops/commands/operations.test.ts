import { ALL_OPERATIONS } from "@tranche/operations/accounts/operations";
import type { Command } from "commander";
import { expect, test } from "vitest";
import type { Ops } from "../context/ops.ts";
import { opsProgram } from "../program.ts";

const program = opsProgram({ version: "" } as Ops);
const pathsOf = (command: Command, path: string): string[] =>
  command.commands.length === 0
    ? [path]
    : command.commands.flatMap((inner) => pathsOf(inner, `${path} ${inner.name()}`.trim()));

test("every operation with a command is one, and the groups of the table have no other commands", () => {
  const inTable = ALL_OPERATIONS.flatMap(([, row]) => ("command" in row ? row.command.name : []));
  const groups = new Set(inTable.map((name) => name.split(" ")[0]));
  const there = pathsOf(program, "").filter((path) => groups.has(path.split(" ")[0]));
  expect(there.toSorted()).toEqual(inTable.toSorted());
});

test("a command has an option for each field of its operation", () => {
  for (const [name, row] of ALL_OPERATIONS) {
    if (!("command" in row)) continue;
    const fields = row.input.map((field) => field.replace("?", ""));
    expect(Object.keys(row.command.options ?? {}), name).toEqual(fields);
  }
});
