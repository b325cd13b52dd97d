import "./gauge.css";

const numbers = new Intl.NumberFormat("en");

/** From this share on a limit is nearly used up, and pages warn. */
export const WARN_FROM = 0.8;

/** How much of a limit is used. */
export function Gauge({ label, used, limit }: { label: string; used: number; limit: number }) {
  const share = limit > 0 ? Math.min(1, used / limit) : 1;
  const level = share >= 1 ? "full" : share >= WARN_FROM ? "high" : "";
  return (
    <div class="gauge">
      <p class="gauge-figure">
        <b>{numbers.format(used)}</b> <span class="muted">of {numbers.format(limit)}</span>
      </p>
      <div
        class={`gauge-bar ${level}`}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={`${numbers.format(used)} of ${numbers.format(limit)}`}
      >
        <span style={{ width: `${100 * share}%` }} />
      </div>
    </div>
  );
}
