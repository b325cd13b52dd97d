import type { IngestToken } from "@tranche/shared/accounts/ingest-token-store";
import { RECORD_TYPES, type RecordType } from "@tranche/shared/domain/records/record";
import { Command, InvalidArgumentError } from "commander";
import type { Ops } from "../context/ops.ts";
import { storedName } from "./options.ts";
import { listed } from "../terminal/table.ts";

type Create = { name: string; set?: string; types?: RecordType[]; deletes: boolean };

export function ingestTokensCommand(ops: Ops): Command {
  const tokens = new Command("ingest-tokens")
    .summary("Manage tokens that send records")
    .description(
      "Manage ingest tokens. A program sends records with one to /ingest of the operators' port, and can do nothing else with it.",
    );
  const store = async () => (await ops.doing()).ingestTokens;

  tokens
    .command("create")
    .description("Create an ingest token. It is shown only once.")
    .requiredOption("--name <name>", "the program that sends", named)
    .option("--set <set>", "it sends only this set", storedName)
    .option(
      "--types <types>",
      `it sends only these types, separated by commas: ${RECORD_TYPES.join(", ")}`,
      recordTypes,
    )
    .option("--no-deletes", "it deletes nothing")
    .addHelpText(
      "after",
      '\nExample:\n  ops ingest-tokens create --name "CRM export" --types company,round --no-deletes',
    )
    .action(async ({ name, set, types, deletes }: Create) => {
      const rights = { set: set ?? null, types: types ?? null, deletes };
      const { token, record } = await (await store()).create({ name, ...rights });
      const shown = { id: record.key_id, name, token };
      ops.terminal.show(shown, `Created ingest token ${record.key_id} (${name}).\nToken (shown only once): ${token}`);
    });

  tokens
    .command("list")
    .description("List the ingest tokens, including revoked ones. The tokens themselves are never shown.")
    .action(async () => {
      const all = await (await store()).list();
      const { rightsText } = await import("@tranche/shared/accounts/ingest-token-store");
      ops.terminal.show(
        all.map(shownToken),
        listed(all, {
          columns: {
            id: "key_id",
            prefix: "prefix",
            name: "name",
            "may send": rightsText,
            created: "created_at",
            "last used": "last_used_at",
            revoked: "revoked_at",
          },
          empty: "There are no ingest tokens. Create one with `ops ingest-tokens create --name N`.",
        }),
      );
    });

  tokens
    .command("revoke")
    .description("Revoke an ingest token. An upload that is under way ends within a few seconds.")
    .argument("<id>", "the token's id, as `ops ingest-tokens list` shows it")
    .action(async (id: string) => {
      const revoked = await (await store()).revoke(id);
      ops.terminal.show(shownToken(revoked), `Ingest token ${id} (${revoked.name}) is revoked.`);
    });

  return tokens;
}

/** A token as --json prints it. */
function shownToken(record: IngestToken) {
  const { key_id, prefix, name, set, types, deletes, created_at, created_by, last_used_at, revoked_at } = record;
  return {
    id: key_id,
    prefix,
    name,
    set,
    types,
    deletes,
    created_at,
    created_by,
    last_used_at: last_used_at ?? null,
    revoked_at,
  };
}

const MAX_NAME = 200;

function named(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > MAX_NAME) throw new InvalidArgumentError("Expected 1 to 200 characters.");
  return name;
}

function recordTypes(text: string): RecordType[] {
  const types = text.split(",").map((type) => type.trim());
  const unknown = types.find((type) => !(RECORD_TYPES as readonly string[]).includes(type));
  if (unknown === undefined) return [...new Set(types)] as RecordType[];
  throw new InvalidArgumentError(`'${unknown}' is not a record type: ${RECORD_TYPES.join(", ")}.`);
}
