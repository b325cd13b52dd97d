import type { PreviewView } from "../data.ts";
import { counted, shownNumber } from "../parts/figures.ts";
import { Table } from "../../ui/table.tsx";

/** The first rows as they will be listed, refusals beside their rows, and the extremes. */
export function Preview({ of: { rows, good, entries, lines, is_rate_open } }: { of: PreviewView }) {
  const amount = { name: is_rate_open ? "Amount" : "US dollars", number: true } as const;
  return (
    <section class="stack">
      <h2>As it will be listed</h2>
      <p>
        {shownNumber(good)} of the first {counted(rows, "row")} give records.
        {is_rate_open && " Amounts are in the currency of the file, because its rate in US dollars is open."}
      </p>
      {lines.length > 0 && (
        <ul class="lines">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {entries.length > 0 && (
        <Table label="The first rows" columns={["Row", "Day", "Company", "Country", "Type", amount, "Investors"]}>
          {entries.map((entry, index) => (
            <tr key={index} class={"refused" in entry ? "refused" : undefined}>
              <td class="number">{placeOf(entry.at)}</td>
              {"refused" in entry ? (
                <td colSpan={6} class="wrap">
                  <strong>refused</strong>: {entry.refused}
                </td>
              ) : (
                entry.listed.map((text, column) => (
                  <td key={column} class={CLASSES[column]}>
                    {text}
                  </td>
                ))
              )}
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** Of day, company, country, type, amount and investors. */
const CLASSES = ["nowrap", "anywhere", undefined, undefined, "number nowrap", "investors"];

const placeOf = (at: PreviewView["entries"][number]["at"]): string =>
  "line" in at ? shownNumber(at.line) : "element" in at ? shownNumber(at.element) : "";
