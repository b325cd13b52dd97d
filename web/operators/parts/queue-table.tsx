import type { StatusView } from "../data.ts";
import { shownDuration, shownNumber } from "./figures.ts";
import { Table } from "../../ui/table.tsx";

const COLUMNS = ["Waiting", "Active", "Delayed", "Failed", "Oldest waiting", "Workers"] as const;

/** Queues with the numbers of their jobs. Each leads to its jobs. */
export function QueueTable({ queues }: { queues: StatusView["queues"] }) {
  return (
    <Table label="Queues" columns={["Queue", ...COLUMNS.map((name) => ({ name, number: true as const }))]}>
      {queues.map((each) => (
        <tr key={each.queue}>
          <td class="nowrap">
            <a href={`/operators/queues/${each.queue}${each.failed > 0 ? "?state=failed" : ""}`}>{each.queue}</a>
          </td>
          <td class="number">{shownNumber(each.waiting)}</td>
          <td class="number">{shownNumber(each.active)}</td>
          <td class="number">{shownNumber(each.delayed)}</td>
          <td class="number">{shownNumber(each.failed)}</td>
          <td class="number nowrap">
            {each.oldest_waiting_seconds === null ? "–" : shownDuration(each.oldest_waiting_seconds)}
          </td>
          <td class="number">{each.workers}</td>
        </tr>
      ))}
    </Table>
  );
}
