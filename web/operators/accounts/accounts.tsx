import { useState } from "preact/hooks";
import type { AccountRow, NewAccount } from "../data.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Empty } from "../../ui/states.tsx";
import { Badge } from "../parts/badge.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { MonthUsage } from "./month-usage.tsx";
import { counted, shownNumber } from "../parts/figures.ts";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../../ui/table.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { UtcTime } from "../parts/utc-time.tsx";
import { useLive } from "../parts/use-live.ts";
import { CreateAccount } from "./create-account.tsx";
import { accountsThatMatch } from "./matching.ts";
import { Plans } from "./plans.tsx";

/** Rows that a table has. */
const SHOWN = 200;
const EVERY_SECONDS = 20;

/** All accounts with their use this month, and the plans in force. */
export default function Accounts() {
  const live = useLive("/accounts", EVERY_SECONDS);
  const plans = useLive("/plans", EVERY_SECONDS);
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<NewAccount>();
  return (
    <div class="stack">
      <div class="head">
        <h1>Accounts</h1>
        <button type="button" class="button primary" onClick={() => setCreating(true)} disabled={!plans.value}>
          New account
        </button>
      </div>
      <LivePage live={live} what="the accounts">
        {(accounts) => <List accounts={accounts} />}
      </LivePage>
      <section class="stack">
        <h2>Plans in force</h2>
        <LivePage live={plans} what="the plans">
          {(all) => <Plans plans={all} />}
        </LivePage>
      </section>
      {creating && (
        <CreateAccount
          plans={plans.value ?? []}
          close={() => setCreating(false)}
          created={(account) => {
            setCreating(false);
            setMade(account);
            live.reload();
          }}
        />
      )}
      {made && (
        <ShownOnce title={`The first key of ${made.name}`} what="the key" close={() => setMade(undefined)}>
          <CodeBlock code={made.key} what="the key" />
          <p class="muted">Anyone with it can use the account's quota.</p>
        </ShownOnce>
      )}
    </div>
  );
}

function List({ accounts }: { accounts: readonly AccountRow[] }) {
  const [text, setText] = useState("");
  const [withDeleted, setWithDeleted] = useState(false);
  const deleted = accounts.filter(({ status }) => status === "deleted").length;
  const shown = accountsThatMatch(accounts, text, withDeleted);
  if (accounts.length === 0) {
    return (
      <Empty title="There are no accounts yet">
        <p>Create one; its first key is shown then.</p>
      </Empty>
    );
  }
  return (
    <>
      <div class="row">
        <div class="find">
          <TextField label="Find by name or id" value={text} set={setText} type="search" />
        </div>
        {deleted > 0 && (
          <label class="row check">
            <input
              type="checkbox"
              checked={withDeleted}
              onChange={({ currentTarget }) => setWithDeleted(currentTarget.checked)}
            />
            Show {counted(deleted, "deleted account")}
          </label>
        )}
      </div>
      <p class="visually-hidden" role="status">
        {counted(shown.length, "account")}
      </p>
      <Table
        label="Accounts"
        columns={["Name", "Status", "Plan", "This month", { name: "Keys", number: true }, "Last used", "Created"]}
        class="stacks"
      >
        {shown.slice(0, SHOWN).map((account) => (
          <tr key={account.id}>
            <td class="wrap">
              <a href={`/operators/accounts/${account.id}`}>{account.name}</a>
              <div class="muted mono">{account.id}</div>
            </td>
            <td>
              <StatusBadge status={account.status} />
              {account.throttle && <Badge mood="warning">throttled</Badge>}
            </td>
            <td>{account.plan}</td>
            <td>
              <MonthUsage used={account.requests_this_month} quota={account.quota} />
            </td>
            <td class="number" data-head="Keys">
              {shownNumber(account.working_keys)}
            </td>
            <td data-head="Last used">
              <UtcTime of={account.last_used_at} />
            </td>
            <td data-head="Created">
              <UtcTime of={account.created_at} />
            </td>
          </tr>
        ))}
      </Table>
      {shown.length > SHOWN && (
        <p class="muted">{shownNumber(shown.length - SHOWN)} more match. Enter more of the name to find them.</p>
      )}
      {shown.length === 0 && <p class="muted">No account matches.</p>}
    </>
  );
}
