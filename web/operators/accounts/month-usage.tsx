import { shownNumber, shownPercent } from "../parts/figures.ts";

/** Requests of the calendar month, and what part of the quota they are. */
export function MonthUsage({ used, quota }: { used: number; quota: number | null }) {
  if (quota === null) return <>{shownNumber(used)} (the plan is not in force)</>;
  return (
    <div class="month">
      <span class="nowrap">
        {shownNumber(used)} of {shownNumber(quota)} <span class="muted">({shownPercent(used / quota)})</span>
      </span>
      <meter aria-hidden="true" min={0} max={quota} high={quota * 0.8} optimum={0} value={Math.min(used, quota)} />
    </div>
  );
}
