import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import type { AuditView } from "../data.ts";
import { Empty } from "../../ui/states.tsx";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../../ui/table.tsx";
import { UtcTime } from "../parts/utc-time.tsx";
import { useLive } from "../parts/use-live.ts";

const PAGE = 100;
const MOST = 2000;

/** The audit log, newest first; of one account with `?account=`. */
export default function Audit() {
  const { query } = useLocation();
  const account = query["account"];
  const [limit, setLimit] = useState(PAGE);
  const of = account === undefined ? "" : `&account=${encodeURIComponent(account)}`;
  const live = useLive(`/audit?limit=${limit}${of}`);
  return (
    <div class="stack">
      <h1>Audit log</h1>
      {account === undefined ? (
        <p class="muted">
          Changes to accounts and keys, ingests, rebuilds, rollbacks, and what happened to dead letters, the newest
          first.
        </p>
      ) : (
        <p>
          Entries of the account <a href={`/operators/accounts/${encodeURIComponent(account)}`}>{account}</a>.{" "}
          <a href="/operators/audit">Show all entries</a>
        </p>
      )}
      <LivePage live={live} what="the audit log">
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="There are no entries" />
          ) : (
            <>
              <Table label="Audit log" columns={["When", "Who", "What", "Account", "Details"]} class="stacks">
                {entries.map((entry) => (
                  <Row key={entry.id} entry={entry} />
                ))}
              </Table>
              {entries.length === limit && limit < MOST && (
                <p>
                  <button type="button" class="button" onClick={() => setLimit(Math.min(MOST, limit + 400))}>
                    Show more
                  </button>
                </p>
              )}
            </>
          )
        }
      </LivePage>
    </div>
  );
}

function Row({ entry: { at, actor, action, account, key_id, details } }: { entry: AuditView }) {
  const shown = [...(key_id === null ? [] : [["key", key_id] as const]), ...Object.entries(details)];
  return (
    <tr>
      <td>
        <UtcTime of={at} />
      </td>
      <td class="nowrap">{actor}</td>
      <td class="nowrap">{action}</td>
      <td>{account !== null && <a href={`/operators/accounts/${account}`}>{account}</a>}</td>
      <td class="wrap">
        {shown.map(([name, value]) => (
          <div key={name}>
            <span class="muted">{name.replaceAll("_", " ")}:</span> {value}
          </div>
        ))}
      </td>
    </tr>
  );
}
