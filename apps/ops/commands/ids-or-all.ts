import { WrongUsage } from "../terminal/failure.ts";

/** The ids of a command that takes either some or `--all`. `list`: the command that shows them. */
export function idsOrAll(ids: string[], all: boolean | undefined, list: string): string[] | "all" {
  if (Boolean(all) === ids.length > 0) throw new WrongUsage(`Give ids, as \`${list}\` shows them, or --all.`);
  return all ? "all" : ids;
}
