/** Parameters of a request in their order. A name may come more than once. */
export type Params = readonly (readonly [name: string, value: string])[];

/** Parameters as a query string. Commas stay readable. */
export const writeParams = (params: Params): string =>
  params.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join("&");

export const readParams = (query: string): Params => [...new URLSearchParams(query)];

/** The values of a parameter; those of a repeated list are joined, as the API joins them. */
export function valueOf(params: Params, name: string): string | undefined {
  const values = params.filter(([sent]) => sent === name).map(([, value]) => value);
  return values.length > 0 ? values.join(",") : undefined;
}

/** Parameters with some replaced, each where it first was or at the end; `undefined` takes one away. */
export function withParams(params: Params, changes: Record<string, string | undefined>): Params {
  const known = new Set<string>();
  const changed = params.flatMap(([name, value]): Params => {
    if (!Object.hasOwn(changes, name)) return [[name, value]];
    const isRepeated = known.has(name);
    known.add(name);
    return isRepeated || changes[name] === undefined ? [] : [[name, changes[name]]];
  });
  const added = Object.entries(changes).filter(([name, value]) => value !== undefined && !known.has(name));
  return [...changed, ...(added as [string, string][])];
}

const escaped = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll("%2C", ",");
