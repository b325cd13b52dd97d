import { shownDay } from "../../ui/when.tsx";
import { count } from "../format.ts";
import { useUsage } from "../usage/use-usage.ts";
import { MonthWarning } from "../usage/month-warning.tsx";

/** This month's requests in a line, and a warning when few are left. */
export function UsageLine() {
  const { value, state } = useUsage();
  if (!value) return <p class="muted">{state === "failed" ? "The usage can't be read now." : "…"}</p>;
  const { used, limit, resets_at: resets } = value.month;
  return (
    <>
      <p class="muted">
        {count(used)} of {count(limit)} requests this month, until {shownDay(resets)}.{" "}
        <a href="/dashboard/usage">Usage</a>
      </p>
      <MonthWarning month={value.month} />
    </>
  );
}
