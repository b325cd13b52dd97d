import { Command } from "commander";
import type { Ops } from "../context/ops.ts";
import { Failure, WrongUsage } from "../terminal/failure.ts";
import { storedName } from "./options.ts";
import { listed } from "../terminal/table.ts";

export function mappingsCommand(ops: Ops): Command {
  const mappings = new Command("mappings")
    .summary("Manage stored mappings")
    .description(
      "Manage stored mappings, which say what the columns of a file mean. Uploads name them. Each change is a version of its own.",
    );
  const store = async () => (await ops.doing()).mappings;

  mappings
    .command("put")
    .summary("Store a mapping, or its next version")
    .description(
      "Store a mapping file under a name. Under a known name it becomes the next version, unless nothing changed.",
    )
    .argument("<name>", "the mapping's name", storedName)
    .argument("<file>", "the mapping file, as `ops ingest --suggest-map` prints it")
    .addHelpText(
      "after",
      "\nExample:\n  ops ingest --suggest-map deals.csv > deals.map.json\n  ops mappings put deals deals.map.json",
    )
    .action(async (name: string, file: string) => {
      const { readMappingFile } = await import("@tranche/intake/sources/mapping-file");
      const { content } = readMappingFile(file, file);
      const { stored, isNew } = await (await store()).put(name, content);
      const shown = { name: stored.name, version: stored.version, new: isNew };
      ops.terminal.show(
        shown,
        isNew
          ? `Stored version ${stored.version} of mapping ${name}.`
          : `Nothing changed: version ${stored.version} of mapping ${name} is the same.`,
      );
    });

  mappings
    .command("list")
    .description("List the stored mappings, each with its newest version.")
    .action(async () => {
      const all = await (await store()).list();
      ops.terminal.show(
        all.map(({ name, version, created_at, created_by }) => ({ name, version, created_at, created_by })),
        listed(all, {
          columns: { name: "name", version: "version", stored: "created_at", by: "created_by" },
          empty: "There are no stored mappings. Store one with `ops mappings put NAME FILE`.",
        }),
      );
    });

  mappings
    .command("show")
    .description("Print a stored mapping: its newest version, or the given one.")
    .argument("<name>", "the mapping's name; NAME@2 is its second version")
    .addHelpText("after", "\nExample:\n  ops mappings show deals@2 > deals.map.json")
    .action(async (named: string) => {
      const { mappingNameOf } = await import("@tranche/shared/accounts/mapping-store");
      const asked = mappingNameOf(named);
      if (!asked) throw new WrongUsage(`'${named}' is not a mapping: write NAME or NAME@VERSION.`);
      const { name, version } = asked;
      const found = await (await store()).find(name, version);
      if (!found) {
        const what = version === undefined ? `mapping '${name}'` : `version ${version} of a mapping '${name}'`;
        throw new Failure(`There is no ${what}. \`ops mappings list\` shows the mappings.`);
      }
      const { content, created_at, created_by } = found;
      const mapping: unknown = JSON.parse(content);
      ops.terminal.show(
        { name, version: found.version, created_at, created_by, mapping },
        JSON.stringify(mapping, null, 2),
      );
    });

  return mappings;
}
