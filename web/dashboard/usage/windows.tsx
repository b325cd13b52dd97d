import { Gauge } from "../../ui/gauge.tsx";
import { Failed, Loading, Notice } from "../../ui/states.tsx";
import type { Loaded } from "../../ui/use-load.ts";
import { shownDay, shownTime } from "../../ui/when.tsx";
import { countOf } from "../format.ts";
import { useSession } from "../session.ts";
import { type Forecast, forecastOf } from "./forecast.ts";
import { MonthWarning } from "./month-warning.tsx";
import { ThrottleNotice } from "./throttle-notice.tsx";
import type { Usage } from "./use-usage.ts";
import "./usage.css";

const numbers = new Intl.NumberFormat("en");

/** The service's time, and when the account was created. */
export type Clock = { now: string; account_since: string };

/** This month, this minute and the plan, with warnings. `clock` is undefined until it is loaded. */
export function UsageWindows({
  usage,
  clock,
}: {
  usage: Loaded<Usage> & { reload: () => void };
  clock: Clock | undefined;
}) {
  const { account } = useSession();
  const { value } = usage;
  return (
    <>
      {usage.state === "failed" && usage.error.code === "rate_limited" && (
        <Notice kind="warning">
          <p>
            <strong>The requests of this minute are used up.</strong> {usage.error.message} Then this page shows the
            figures again.
          </p>
        </Notice>
      )}
      {usage.state === "failed" && usage.error.code !== "rate_limited" && (
        <Failed error={usage.error} retry={usage.reload} />
      )}
      {value && <ThrottleNotice throttle={value.throttle} />}
      {value && <MonthWarning month={value.month} />}
      {!value && usage.state === "loading" && <Loading what="your usage" />}
      {value && (
        <div class="cards">
          <section class="card stack">
            <h2>This month</h2>
            <Gauge label="Requests of this month" used={value.month.used} limit={value.month.limit} />
            {clock && value.month.used < value.month.limit && <ForecastText month={value.month} clock={clock} />}
            {value.mcp.requests ? <p>{countOf(value.mcp.requests, "request")} came from assistants.</p> : null}
            <h3>The dashboard’s own requests, used first</h3>
            <Gauge label="Requests of this dashboard" used={value.dashboard.used} limit={value.dashboard.limit} />
            <p class="muted">Both begin again on {shownTime(value.month.resets_at)}.</p>
          </section>
          <section class="card stack">
            <h2>This minute</h2>
            <Gauge label="Requests of the last 60 seconds" used={value.burst.used} limit={value.burst.limit} />
            <p class="muted">In any 60 seconds. The request of this page is one of them.</p>
          </section>
          <section class="card stack">
            <h2>Plan: {account.plan_name}</h2>
            <dl class="facts">
              <dt>Requests per month</dt>
              <dd>{numbers.format(value.month.limit)}</dd>
              <dt>Requests in 60 seconds</dt>
              <dd>{numbers.format(value.burst.limit)}</dd>
              <dt>Rows per page</dt>
              <dd>{numbers.format(value.max_limit)}</dd>
              <dt>Exports</dt>
              <dd>{value.export ? "included" : "not included"}</dd>
            </dl>
          </section>
        </div>
      )}
    </>
  );
}

function ForecastText({ month, clock }: { month: Usage["month"]; clock: Clock }) {
  const { used, limit, resets_at } = month;
  const forecast = forecastOf({ used, limit, resetsAt: resets_at, now: clock.now, accountSince: clock.account_since });
  // In the first two days it would be a guess.
  return forecast.kind === "too_early" ? null : <p>{forecastWords(forecast, month)}</p>;
}

function forecastWords(forecast: Exclude<Forecast, { kind: "too_early" }>, { used }: Usage["month"]): string {
  if (used === 0) return "No requests yet.";
  const { requests, rough, usedUpAt } = forecast;
  const basis = rough ? " (rough: it is based on less than a week)" : "";
  const end = `Forecast for the end of the month: about ${countOf(rounded(requests), "request")}${basis}.`;
  return usedUpAt ? `${end} At this rate the limit is reached on ${shownDay(usedUpAt)}.` : end;
}

/** To two digits: a forecast is not more exact. */
function rounded(requests: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(requests, 1))) - 1);
  return Math.round(requests / step) * step;
}
