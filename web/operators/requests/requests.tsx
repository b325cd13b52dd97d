import type { RequestsNow } from "../data.ts";
import { Empty } from "../../ui/states.tsx";
import { StatusBadge } from "../accounts/status-badge.tsx";
import { Badge } from "../parts/badge.tsx";
import { shownNumber } from "../parts/figures.ts";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../../ui/table.tsx";
import { useLive } from "../parts/use-live.ts";
import { ByMinute } from "./by-minute.tsx";
import { Count, Parts } from "./parts.tsx";
import "./requests.css";

/** The columns of statuses that refuse or fail: name, statuses, and whether people should look at it. */
const SHOWN_STATUSES: readonly (readonly [name: string, holds: (status: number) => boolean, isBad: boolean])[] = [
  ["400", (status) => status === 400, false],
  ["401", (status) => status === 401, true],
  ["403", (status) => status === 403, false],
  ["429", (status) => status === 429, true],
  ["Other 4xx", (status) => status >= 400 && status < 500 && ![400, 401, 403, 429].includes(status), false],
  ["5xx", (status) => status >= 500, true],
];

/** Who sends requests: accounts, and those without a key, in the last hour. */
export default function Requests() {
  const live = useLive("/requests");
  return (
    <div class="stack">
      <div>
        <h1>Requests now</h1>
        <p class="muted">The last hour, a few seconds late. Nothing of it is kept for longer.</p>
      </div>
      <LivePage live={live} what="the requests">
        {(now) => (
          <>
            <ByMinute title="Requests of all accounts by minute" minutes={now.minutes} of={now.total} />
            <Accounts {...now} />
            <WithoutKey of={now.without_key} />
          </>
        )}
      </LivePage>
    </div>
  );
}

function Accounts({ accounts, more, others }: RequestsNow) {
  if (accounts.length === 0) {
    return (
      <Empty title="No account has sent a request">
        <p>Requests with a key that works are shown here a few seconds after they are answered.</p>
      </Empty>
    );
  }
  return (
    <section class="stack">
      <h2>Accounts</h2>
      <Table
        label="Accounts by requests"
        columns={[
          "Account",
          { name: "5 minutes", number: true },
          { name: "Hour", number: true },
          "By minute",
          ...SHOWN_STATUSES.map(([name]) => ({ name, number: true }) as const),
          { name: "Slow", number: true },
          { name: "Mean ms", number: true },
        ]}
      >
        {accounts.map((account) => (
          <tr key={account.id}>
            <td class="sender">
              <a href={`/operators/requests/${account.id}`}>{account.name}</a>
              <div class="row tight">
                <span class="muted">{account.plan}</span>
                {account.status !== "active" && account.status !== "unknown" && <StatusBadge status={account.status} />}
                {account.throttled && <Badge mood="warning">throttled</Badge>}
              </div>
            </td>
            <Count of={account.recent} />
            <Count of={account.requests} />
            <td>
              <Spark of={account.per_minute} />
            </td>
            {SHOWN_STATUSES.map(([name, holds, isBad]) => (
              <Count key={name} of={sumOf(account.by_status, holds)} isBad={isBad} />
            ))}
            <Count of={account.slow} isBad />
            <td class="number">{account.average_ms !== null && shownNumber(account.average_ms)}</td>
          </tr>
        ))}
      </Table>
      {more > 0 && <p class="muted">{shownNumber(more)} more accounts sent fewer requests.</p>}
      {others.requests > 0 && (
        <p class="muted">
          {shownNumber(others.requests)} requests of further accounts were not counted by account: there were too many
          accounts in a minute.
        </p>
      )}
    </section>
  );
}

function WithoutKey({ of: { requests, addresses } }: { of: RequestsNow["without_key"] }) {
  return (
    <section class="stack">
      <h2>Without a key that works</h2>
      <p class="muted">
        Requests without a key or with a wrong one, and for docs: {shownNumber(requests)} in the last hour. An IPv6
        address counts with its network.
      </p>
      <Parts label="Addresses without a key" what="Address" parts={addresses} />
    </section>
  );
}

const sumOf = (statuses: Readonly<Record<string, number>>, holds: (status: number) => boolean): number =>
  Object.entries(statuses).reduce((sum, [status, count]) => sum + (holds(Number(status)) ? count : 0), 0);

/** Requests by minute as bars, for the eye alone: the numbers are on the page of the account. */
function Spark({ of }: { of: readonly number[] }) {
  const most = Math.max(1, ...of);
  return (
    <svg class="spark" viewBox={`0 0 ${of.length} 20`} preserveAspectRatio="none" aria-hidden="true">
      {of.map((count, n) => {
        const height = count === 0 ? 0 : Math.max(1, (20 * count) / most);
        return <rect key={n} x={n} y={20 - height} width="0.8" height={height} />;
      })}
    </svg>
  );
}
