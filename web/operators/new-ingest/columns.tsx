import type { FileView } from "../data.ts";
import { Badge, type Mood } from "../parts/badge.tsx";
import { counted } from "../parts/figures.ts";
import { Table } from "../../ui/table.tsx";
import type { Answers } from "./look.ts";

type Suggested = FileView & { as: "suggested" };
type Column = Suggested["columns"][number];

const MOODS: Record<Column["sure"], Mood> = { sure: "good", likely: "plain", asked: "warning", "not used": "plain" };
/** More columns than this are shown when somebody asks. */
const SHOWN_UNUSED = 20;

/** Each column with its meaning, how sure that is and why. A person corrects the meaning. */
export function Columns({ view, correct }: { view: Suggested; correct: (answers: Answers) => void }) {
  const used = view.columns.filter(({ role }) => role !== undefined);
  const unused = view.columns.filter(({ role }) => role === undefined);
  const table = (label: string, columns: readonly Column[]) => (
    <Table label={label} columns={["Column", "Samples", "Meaning", "Why"]} class="stacks">
      {columns.map((column) => (
        <tr key={column.column}>
          <th scope="row" class="column">
            {column.column}
          </th>
          <td class="samples">{column.samples}</td>
          <td>
            <Meaning column={column} meanings={view.meanings} correct={correct} />
          </td>
          <td class="wrap">
            <Badge mood={MOODS[column.sure]}>{column.sure === "asked" ? "see the question" : column.sure}</Badge>{" "}
            {column.why}
          </td>
        </tr>
      ))}
    </Table>
  );
  return (
    <section class="stack">
      <h2>Columns</h2>
      {view.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {table("Columns that are used", used)}
      {unused.length > 0 && (
        <details open={unused.length <= SHOWN_UNUSED}>
          <summary>{counted(unused.length, "column")} not used</summary>
          {table("Columns that are not used", unused)}
        </details>
      )}
    </section>
  );
}

function Meaning({
  column: { column, role },
  meanings,
  correct,
}: {
  column: Column;
  meanings: Suggested["meanings"];
  correct: (answers: Answers) => void;
}) {
  const change = (chosen: string) =>
    correct({ ...(role === undefined ? {} : { [role]: "none" }), ...(chosen === "" ? {} : { [chosen]: column }) });
  return (
    <select
      class="input"
      aria-label={`The meaning of ${column}`}
      value={role ?? ""}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    >
      <option value="">not used</option>
      {Object.entries(meanings).map(([id, meaning]) => (
        <option key={id} value={id}>
          {meaning}
        </option>
      ))}
    </select>
  );
}
