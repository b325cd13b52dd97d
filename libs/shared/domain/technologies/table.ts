import { NAMES, NOT_ALIASES, NOT_TECHNOLOGIES, TECHNOLOGIES } from "./aliases.ts";
import { formOf, spelledKey } from "./form.ts";

/** An entry of Simple Icons or Devicon. */
export interface Listed {
  name: string;
  aliases?: readonly string[];
}

/** The table as it is kept in `table.json`. */
interface TechnologyTable {
  /** Key to the name to show. */
  names: Record<string, string>;
  /** Form (key without hyphens) of another name to key. */
  aliases: Record<string, string>;
}

/** Listed aliases shorter than this are too often something else (`VM`, `PS`, `X`); those we want are our own. */
const SHORTEST_ALIAS = 4;

/**
 * The table from our own technologies and the two lists. Our own entries win; then a name wins over an alias; an alias of two
 * technologies is dropped. A Devicon entry with a new name and an alias that is the name of a known technology is that technology
 * (`travis`, also `travisci`, is Travis CI).
 * @throws Error when our own technologies contradict each other
 */
export function makeTable(simpleIcons: readonly Listed[], devicon: readonly Listed[]): TechnologyTable {
  const names = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const [key, [name, ...aliases]] of Object.entries(TECHNOLOGIES)) {
    names.set(key, name);
    for (const text of [key, name, ...aliases]) claim(owners, form(text), key);
  }

  const listed: { key: string; aliases: readonly string[] }[] = [];
  for (const { name, aliases = [] } of simpleIcons) {
    if (!NOT_TECHNOLOGIES.has(name)) listed.push({ key: enter(name, form(name)), aliases });
  }
  const shown = new Map(NAMES.map((name) => [form(name), name]));
  const known = new Set(owners.keys());
  for (const { name, aliases = [] } of devicon) {
    const other = aliases.map(form).find((alias) => known.has(alias) && !NOT_ALIASES.has(alias));
    if (!known.has(form(name)) && other !== undefined) owners.set(form(name), owners.get(other)!);
    listed.push({ key: enter(shown.get(form(name)) ?? name, form(name)), aliases });
  }

  const claims = new Map<string, Set<string>>();
  for (const { key, aliases } of listed) {
    for (const alias of aliases.map(form)) {
      if (owners.has(alias) || NOT_ALIASES.has(alias) || alias.length < SHORTEST_ALIAS) continue;
      claims.set(alias, (claims.get(alias) ?? new Set()).add(key));
    }
  }
  for (const [alias, keys] of claims) if (keys.size === 1) owners.set(alias, [...keys][0]!);

  const aliases = [...owners].filter(([alias, key]) => alias !== formOf(key));
  return { names: sorted(names), aliases: sorted(aliases) };

  function enter(name: string, as: string): string {
    const owner = owners.get(as);
    if (owner !== undefined) return owner;
    const key = spelledKey(name);
    owners.set(formOf(key), key);
    owners.set(as, key);
    if (key !== "") names.set(key, name);
    return key;
  }
}

const form = (text: string): string => formOf(spelledKey(text));

function claim(owners: Map<string, string>, alias: string, key: string): void {
  const owner = owners.get(alias) ?? key;
  if (owner !== key) throw new Error(`Technology alias '${alias}' is given to both '${owner}' and '${key}'.`);
  owners.set(alias, key);
}

function sorted(entries: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
