import type { Part } from "../data.ts";
import { shownNumber } from "../parts/figures.ts";
import { Table } from "../../ui/table.tsx";

/** Requests by key, address or route. */
export function Parts({ label, what, parts }: { label: string; what: string; parts: readonly Part[] }) {
  if (parts.length === 0) return <p class="muted">No requests.</p>;
  const columns = ["Requests", "Refused", "Failed", "Slow"].map((name) => ({ name, number: true }) as const);
  return (
    <Table label={label} columns={[what, ...columns]}>
      {parts.map(({ name, requests, refused, failed, slow }) => (
        <tr key={name}>
          <td class="wrap">{name === "*" ? <span class="muted">all others</span> : name}</td>
          <Count of={requests} />
          <Count of={refused} />
          <Count of={failed} isBad />
          <Count of={slow} isBad />
        </tr>
      ))}
    </Table>
  );
}

/** A cell with a number. None is quiet, and a bad one stands out. */
export function Count({ of, isBad = false }: { of: number; isBad?: boolean }) {
  return <td class={`number ${of === 0 ? "none" : isBad ? "bad" : ""}`}>{shownNumber(of)}</td>;
}
