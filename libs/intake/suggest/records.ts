import type { Recognised } from "./columns.ts";
import { SIGNALS } from "./kind.ts";
import { escaped } from "./labels.ts";
import { emptyOf, type Table } from "./table.ts";

/** The records that are made of the values of a row. */
export function recordsOf(table: Table, values: object): object[] {
  const { kind } = table;
  const signals = (SIGNALS[kind] ?? []).map((key) => signalRecord(table, values, key));
  return [
    ...(kind === "rounds" ? investorRecords(table) : []),
    companyRecord(table, values),
    ...(kind === "acquisitions" ? [acquirerRecord] : []),
    ...(kind === "rounds" ? [roundRecord(table, values)] : signals),
  ];
}

const acquirerRecord = {
  type: "company",
  merge: true,
  fields: { id: "co-{acquirer:key}", name: "{acquirer}" },
};

/** Rows that say the same of a company on the same day are one signal. */
function signalRecord({ chosen }: Table, values: object, key: string): object {
  const company = key === "acquisition_made" ? "{acquirer:key}" : companyKeyOf(chosen);
  return {
    type: "signal",
    merge: true,
    fields: {
      id: `sig-${company}-${key}-{date}`,
      company_id: `co-${company}`,
      key,
      detected_at: "{date}",
      ...("source" in values ? { evidence_url: "{source}" } : {}),
    },
  };
}

const companyKeyOf = (columns: Recognised["chosen"]) => (columns.company_slug ? "{slug}" : "{name:key}");

function investorRecords(table: Table): object[] {
  const { chosen: columns, perInvestor } = table;
  const [condition] = onlyRounds(table);
  if (perInvestor)
    return [
      {
        type: "investor",
        merge: true,
        when: [...saysSomething(table, "investors", ".*[\\p{L}\\p{N}].*"), ...onlyRounds(table)],
        fields: { id: investorId(columns), name: "{investor}" },
      },
    ];
  return [columns.investors && "investors", columns.lead && "leads"]
    .filter((list) => list !== undefined)
    .map((list) => ({
      type: "investor",
      for_each: list,
      merge: true,
      ...(condition ? { when: condition } : {}),
      fields: { id: "inv-{item:key}", name: "{item}" },
    }));
}

function investorId(columns: Recognised["chosen"]): string {
  return columns.investor_slug ? "inv-{investor_slug}" : "inv-{investor:key}";
}

function companyRecord({ chosen: columns }: Table, values: object): object {
  const optional = ["slug", "country", "city", "category", "domain", "founded_year", "headcount"].filter(
    (name) => name in values,
  );
  const fields = Object.fromEntries(optional.map((name) => [name, `{${name}}`]));
  return { type: "company", merge: true, fields: { id: `co-${companyKeyOf(columns)}`, name: "{name}", ...fields } };
}

function roundRecord(table: Table, values: object): object {
  const { chosen: columns, perInvestor, sample } = table;
  const companyKey = companyKeyOf(columns);
  const type = columns.deal_type ? "{deal_type}" : "round";
  const amount = columns.amount ? "{amount_text:key}" : "undisclosed";
  const id = perInvestor
    ? `rnd-${companyKey}-{date}-${type}-${amount}`
    : "round_slug" in values
      ? "rnd-{round_slug}"
      : `rnd-${companyKey}-{date}-{n}`;
  // A company beside its rounds may have none.
  const dated = sample.path === undefined && !sample.events ? [] : saysSomething(table, "date", ".+");
  const when = [...dated, ...onlyRounds(table)];
  return {
    type: "round",
    ...(perInvestor ? { merge: true } : {}),
    ...(when.length === 0 ? {} : { when: when.length === 1 ? when[0] : when }),
    fields: {
      id,
      company_id: `co-${companyKey}`,
      announced_date: "{date}",
      ...(columns.deal_type ? { deal_type: "{deal_type}" } : {}),
      amount_usd: columns.amount ? "{amount}" : null,
      ...investorFields(table),
      ...("source" in values ? { source_url: "{source}" } : {}),
    },
  };
}

/** The conditions on a column that has a text, and none that says nothing. */
function saysSomething({ chosen, sample }: Table, role: "date" | "investors", fits: string): object[] {
  const { column } = chosen[role]!;
  const { empty = [] } = emptyOf(sample, role, column);
  return [
    { column: column.name, fits },
    ...(empty.length === 0 ? [] : [{ column: column.name, not: empty.join("|") }]),
  ];
}

/** The condition on the rows of rounds among those of other events. */
const onlyRounds = ({ others }: Table): object[] =>
  others ? [{ column: others.column, not: others.texts.map(escaped).join("|") }] : [];

function investorFields({ chosen: columns, perInvestor }: Table): object {
  if (perInvestor) return { investor_ids: investorId(columns) };
  if (!columns.lead) return columns.investors ? { investor_ids: "inv-{investors:key}" } : {};
  const others = columns.investors ? [{ for_each: "investors", investor_id: "inv-{item:key}" }] : [];
  return { investors: [{ for_each: "leads", investor_id: "inv-{item:key}", is_lead: true }, ...others] };
}
