import { shownDay } from "../../../ui/when.tsx";
import { count, money } from "../../format.ts";
import "./comparison.css";
import { differenceText } from "./difference-text.ts";
import type { Period, Periods } from "./periods.ts";
import type { Total } from "./stats.ts";

/** The rounds and amounts of a period and of the one before it, in words. */
export function Comparison({ periods: { soFar }, now, before }: { periods: Periods; now: Total; before: Total }) {
  const facts = [
    ["Rounds", now.count, before.count, count],
    ["Disclosed amounts", now.total_amount_usd ?? 0, before.total_amount_usd ?? 0, money],
  ] as const;
  return (
    <div class="card chart-wide comparison">
      <p>
        {shownPeriod(soFar.now)} <span class="muted">compared with {shownPeriod(soFar.before)}</span>
      </p>
      <dl>
        {facts.map(([name, is, was, shown]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <b>{shown(is)}</b>
              <span>{differenceText(is, was)}</span>
              <span class="muted">before: {shown(was)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const shownPeriod = ({ from, to }: Period): string =>
  from === to ? shownDay(from) : `${shownDay(from)} – ${shownDay(to)}`;
