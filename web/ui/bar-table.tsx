import "./bar-table.css";
import type { SeriesColour } from "./chart-data.ts";

export type Bar = { key: string; name: string; value: number; /** Where a click on the name leads. */ href?: string };

const numbers = new Intl.NumberFormat("en");

/** Categories with a bar each: a table that is its own chart. `share` of the longest bar is drawn. */
export function BarTable({
  title,
  nameOf,
  valueOf,
  bars,
  colour = "--series-1",
  format = (value) => numbers.format(value),
}: {
  title: string;
  /** Heads of the two columns: "Country", "Rounds". */
  nameOf: string;
  valueOf: string;
  bars: readonly Bar[];
  colour?: SeriesColour;
  format?: (value: number) => string;
}) {
  const most = Math.max(...bars.map(({ value }) => value), 0);
  return (
    <table class="bar-table">
      <caption>{title}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{nameOf}</th>
          <th scope="col">{valueOf}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, name, value, href }) => (
          <tr key={key}>
            <th scope="row">{href === undefined ? name : <a href={href}>{name}</a>}</th>
            <td>
              <span
                class="bar-fill"
                style={{ width: `${most > 0 ? (100 * value) / most : 0}%`, background: `var(${colour})` }}
              />
              <span class="bar-number">{format(value)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
