import { WARN_FROM } from "../../ui/gauge.tsx";
import { Notice } from "../../ui/states.tsx";
import { shownTime } from "../../ui/when.tsx";
import { countOf } from "../format.ts";
import type { Usage } from "./use-usage.ts";

/** Says that the requests of the month are used up, or nearly; nothing while many are left. */
export function MonthWarning({ month: { used, limit, resets_at } }: { month: Usage["month"] }) {
  if (used >= limit) {
    return (
      <Notice kind="danger">
        <p>
          <strong>The requests of this month are used up.</strong> The API refuses more of them until{" "}
          {shownTime(resets_at)}. The operators of the service can give you a larger plan.
        </p>
      </Notice>
    );
  }
  if (used < WARN_FROM * limit) return null;
  return (
    <Notice kind="warning">
      <p>
        <strong>{Math.floor((100 * used) / limit)} % of this month's requests are used.</strong>{" "}
        {countOf(limit - used, "request")} {limit - used === 1 ? "is" : "are"} left until {shownTime(resets_at)}.
      </p>
    </Notice>
  );
}
