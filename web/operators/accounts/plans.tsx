import type { PlanView } from "../data.ts";
import { shownNumber } from "../parts/figures.ts";
import { Table } from "../../ui/table.tsx";

/** The plans in force: built-in ones, or those of TRANCHE_PLANS_FILE. */
export function Plans({ plans }: { plans: readonly PlanView[] }) {
  return (
    <>
      <Table
        label="Plans in force"
        columns={[
          "Plan",
          "Id",
          { name: "Requests in 60 s", number: true },
          { name: "Requests in a month", number: true },
          { name: "Largest page", number: true },
          "Exports",
        ]}
      >
        {plans.map((plan) => (
          <tr key={plan.id}>
            <td>{plan.name}</td>
            <td class="mono">{plan.id}</td>
            <td class="number">{shownNumber(plan.burst)}</td>
            <td class="number">{shownNumber(plan.quota)}</td>
            <td class="number">{shownNumber(plan.max_limit)}</td>
            <td>{plan.export ? "yes" : "no"}</td>
          </tr>
        ))}
      </Table>
      <p class="muted">
        The file in <code>TRANCHE_PLANS_FILE</code> sets them. Changes to it need no restart.
      </p>
    </>
  );
}
