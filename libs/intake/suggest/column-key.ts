import { keyOf } from "@tranche/shared/domain/text/key";
import type { Sample } from "./sample.ts";

/**
 * The key of a column's name: `fundingDate` is two words. In JSON, names that contain all others are left out, and a list is named by
 * one of its items: `data.rounds.type` is `round-type`.
 */
export function columnKey(name: string, { path, columns }: Pick<Sample, "path" | "columns"> = { columns: [] }): string {
  if (/\.(?:edges|nodes?)(?:\.|$)/.test(name))
    return columnKey(withoutEdges(name), { path: path && withoutEdges(path), columns: columns.map(withoutEdges) });
  const list = path?.split(".") ?? [];
  const around = list.slice(0, -1).join(".");
  const isAround = around !== "" && columns.every((column) => column.startsWith(`${around}.`));
  const inList = path !== undefined && name.startsWith(`${path}.`);
  const isWhole = path !== undefined && columns.every((column) => column.startsWith(`${path}.`));
  const written = isWhole
    ? name.slice(path.length + 1)
    : inList && GENERIC_LISTS.test(list.at(-1)!)
      ? name.slice(path.length + 1)
      : inList
        ? `${list.at(-1)!.replace(/s$/, "")}.${name.slice(path.length + 1)}`
        : isAround
          ? name.slice(around.length + 1)
          : name;
  const bare = written.replace(/(?<=^|\.)(?:Item|fields|properties|attributes|_source)\./g, "");
  const own = bare.replace(LEFT_BY_PROGRAMS, "");
  return keyOf(own.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")).normalize("NFC");
}

/** As GraphQL wraps the items of a list. */
const withoutEdges = (name: string) => name.replace(/\.(?:edges|nodes?)(?=\.|$)/g, "");

/** What Pipedrive, Airtable, DynamoDB and Avro write around a name. */
const LEFT_BY_PROGRAMS = /^Deal - | \(from [^()]*\)$|\.(?:S|N|string|int|long|double)$/g;

/** Names of lists that do not say what their items are. */
const GENERIC_LISTS =
  /^(?:data|items?|results?|rows?|records?|list|entries|values|content|elements|docs|hits|entities|features|edges|nodes)$/i;
