import type { Client } from "@elastic/elasticsearch";
import { Failure, WrongUsage } from "../terminal/failure.ts";

/** The repository that is asked for, or the only one. Throws with what there is where that is not clear. */
export async function repositoryFor(client: Client, asked: string | undefined): Promise<string> {
  const there = Object.keys(await client.snapshot.getRepository());
  const named = there.join(", ");
  if (there.length === 0) {
    throw new Failure(
      "Elasticsearch has no snapshot repository. Register one (docs/operations.md), or write a backup to a file: `ops backup FILE`.",
    );
  }
  if (asked !== undefined && !there.includes(asked)) {
    throw new Failure(`Elasticsearch has no snapshot repository '${asked}'. There is ${named}.`);
  }
  if (asked === undefined && there.length > 1) {
    throw new WrongUsage(`Elasticsearch has several snapshot repositories: choose one with --repository (${named}).`);
  }
  return asked ?? there[0]!;
}
