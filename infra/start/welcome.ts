import { SAMPLE_ATTRIBUTION } from "./sample.ts";

export type Welcome = {
  apiUrl: string;
  operatorUrl: string;
  key: string;
  plan: string;
  /** The fixed clock, an ISO time; undefined: today's. */
  now: string | undefined;
  sample: boolean;
  engines: string;
  home: string;
};

/** What is printed when everything runs: how to call it, what is special about it, how to end it. */
export function welcome(facts: Welcome): string {
  const { apiUrl, operatorUrl, key } = facts;
  const rows: [string, ...string[]][] = [
    ["API", `${apiUrl}/api/v1   (documentation: ${apiUrl}/docs)`],
    ["Operators", `${operatorUrl}/metrics and ${operatorUrl}/queues`],
    ["Key", key, `a demo account's (plan ${facts.plan}), made for this start; the one of the last start is revoked`],
    ["Clock", facts.now ? clock(facts) : "today's"],
    ...(facts.sample ? [["Sample", ...SAMPLE_ATTRIBUTION] as [string, ...string[]]] : []),
    ["Engines", facts.engines],
    ["Data", `stays in ${facts.home}`],
  ];
  const lines = rows.flatMap(([name, first, ...more]) => [
    `  ${name.padEnd(11)}${first}`,
    ...more.map((line) => " ".repeat(13) + line),
  ]);
  const query = facts.sample ? "country=US&deal_types=series_a&sort=amount_desc&limit=3" : "limit=3";
  return [
    "",
    "Tranche runs.",
    "",
    ...lines,
    "",
    `  curl -H "Authorization: Bearer ${key}" "${apiUrl}/api/v1/funding?${query}"`,
    "",
    "Ctrl-C stops it; the data stays.",
  ].join("\n");
}

function clock({ now, sample }: Welcome): string {
  const day = now!.slice(0, 10);
  return sample
    ? `stands at ${day}, for the sample ends there: signals and dates are as on that day (TRANCHE_NOW sets another)`
    : `stands at ${day}, as TRANCHE_NOW says`;
}
