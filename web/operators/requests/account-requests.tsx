import { useRoute } from "preact-iso";
import type { AccountRequests } from "../data.ts";
import { StatusBadge } from "../accounts/status-badge.tsx";
import { Badge } from "../parts/badge.tsx";
import { Facts } from "../parts/facts.tsx";
import { counted, shownNumber } from "../parts/figures.ts";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../../ui/table.tsx";
import { useLive } from "../parts/use-live.ts";
import { UtcTime } from "../parts/utc-time.tsx";
import { ByMinute } from "./by-minute.tsx";
import { Parts } from "./parts.tsx";
import "./requests.css";

/** What an account sends: by minute, key, address and route, and its last errors. */
export default function AccountRequestsPage() {
  const id = useRoute().params["id"]!;
  const live = useLive(`/requests/${encodeURIComponent(id)}`);
  return (
    <div class="stack">
      <p>
        <a href="/operators/requests">All requests</a>
      </p>
      {!live.value && <h1>Requests of an account</h1>}
      <LivePage live={live} what="the requests">
        {(account) => (
          <>
            <div class="head">
              <h1 class="anywhere">Requests of {account.name}</h1>
              <div class="row tight">
                {account.status !== "unknown" && <StatusBadge status={account.status} />}
                {account.throttled && <Badge mood="warning">throttled</Badge>}
              </div>
            </div>
            <p>
              <a href={`/operators/accounts/${account.id}`}>The account: plan, keys, throttle</a>
            </p>
            <ByMinute title="Requests by minute" minutes={account.minutes} of={account} />
            {account.requests > 0 && <ByStatus of={account} />}
            <section class="stack">
              <h2>Keys</h2>
              <Parts label="Requests by key" what="Key" parts={account.keys} />
            </section>
            <section class="stack">
              <h2>Addresses</h2>
              <Parts label="Requests by address" what="Address" parts={account.addresses} />
            </section>
            <section class="stack">
              <h2>Routes</h2>
              <Parts label="Requests by route" what="Route" parts={account.routes} />
            </section>
            <Errors errors={account.errors} />
          </>
        )}
      </LivePage>
    </div>
  );
}

function ByStatus({ of }: { of: AccountRequests }) {
  return (
    <div class="tiles">
      <section class="card stack">
        <h2>Sums</h2>
        <Facts
          of={[
            ["Requests", `${shownNumber(of.requests)}, ${shownNumber(of.recent)} of them in 5 minutes`],
            ["Slow (over a second)", shownNumber(of.slow)],
            ["Average time", of.average_ms !== null && `${shownNumber(of.average_ms)} ms`],
          ]}
        />
      </section>
      <section class="card stack">
        <h2>By status</h2>
        <Facts
          of={Object.entries(of.by_status).map(([status, count]) => [status, counted(count, "request")] as const)}
        />
      </section>
    </div>
  );
}

function Errors({ errors }: Pick<AccountRequests, "errors">) {
  return (
    <section class="stack">
      <h2>Last errors</h2>
      <p class="muted">
        Of 7 days, without what was asked for. Requests with a key that no longer works are not among them.
      </p>
      {errors.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <Table label="Last errors" columns={["Time", "Status", "Code", "Route", "Parameter", "Key", "Request id"]}>
          {errors.map((error) => (
            <tr key={`${error.request_id} ${error.at}`}>
              <td>
                <UtcTime of={error.at} />
              </td>
              <td>{error.status}</td>
              <td class="mono">{error.code}</td>
              <td class="mono">
                {error.method} {error.route}
              </td>
              <td class="mono">{error.parameter}</td>
              <td>{error.key}</td>
              <td class="mono">{error.request_id}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
