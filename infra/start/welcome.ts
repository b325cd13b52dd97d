import { type SampleChoice, sampleAttribution } from "./sample.ts";

export type Welcome = {
  apiUrl: string;
  operatorUrl: string;
  /** The operators' token that the home keeps; undefined when TRANCHE_OPERATOR_TOKEN gave one. */
  operatorToken: string | undefined;
  /** Signs in to the demo account, once and within 15 minutes. */
  signInUrl: string;
  key: string;
  plan: string;
  /** The fixed clock, an ISO time; undefined: today's. */
  now: string | undefined;
  sample: SampleChoice;
  /** The sample is not all there, or a rebuild is due. */
  warnings: readonly string[];
  engines: string;
  home: string;
  /** TRANCHE_HOME named the home, so `ops` needs it as well. */
  isHomeGiven: boolean;
};

/** The text that is printed once everything is up: how to call the service, where its data comes from, how to stop it. */
export function welcome(facts: Welcome): string {
  const { apiUrl, operatorUrl, key } = facts;
  const token = facts.operatorToken ?? "the one in TRANCHE_OPERATOR_TOKEN";
  const rows: [string, ...string[]][] = [
    ["API", `${apiUrl}/api/v1`],
    ["Docs", `${apiUrl}/docs#key=${key}`, "with the key below in each example"],
    ["Dashboard", facts.signInUrl, "signs in to the demo account, once and within 15 minutes"],
    ["Operators", `${operatorUrl}/operators/   (also /metrics)`, `token to sign in with: ${token}`],
    ["Key", key, `a demo account's (plan ${facts.plan}); it stays the same`],
    ["Clock", facts.now ? clock(facts) : "today's"],
    ...(facts.sample === "none" ? [] : [["Sample", ...sampleAttribution(facts.sample)] as [string, ...string[]]]),
    ["Engines", facts.engines],
    ["Data", `stays in ${facts.home}`],
    ["Commands", `${facts.isHomeGiven ? `TRANCHE_HOME='${facts.home}' ` : ""}npm run -s ops -- --help`],
  ];
  const lines = rows.flatMap(([name, first, ...more]) => [
    `  ${name.padEnd(11)}${first}`,
    ...more.map((line) => " ".repeat(13) + line),
  ]);
  const query = facts.sample === "none" ? "limit=3" : "investors=sequoia-capital&sort=amount_desc&limit=3";
  return [
    "",
    "Tranche is running.",
    "",
    ...lines,
    "",
    `  curl -H "Authorization: Bearer ${key}" "${apiUrl}/api/v1/funding?${query}"`,
    "",
    ...facts.warnings.flatMap((warning) => [`Warning: ${warning}`, ""]),
    "Ctrl-C stops it; the data stays.",
  ].join("\n");
}

function clock({ now, sample }: Welcome): string {
  const day = now!.slice(0, 10);
  return sample === "none"
    ? `set to ${day} by TRANCHE_NOW`
    : `set to ${day}, the last day of the sample: signals and dates are as on that day (TRANCHE_NOW sets another)`;
}
