/** From twice as much on, people say how many times. */
const TIMES = 2;

/** How a figure differs from the one before, both 0 or more: "12% more", "3.2 times as much". */
export function differenceText(now: number, before: number): string {
  if (now === before) return "the same";
  if (before === 0) return "none before";
  const ratio = now / before;
  if (ratio > TIMES) return `${ratio >= 10 ? Math.round(ratio).toLocaleString("en") : ratio.toFixed(1)} times as much`;
  const percent = Math.abs(ratio - 1) * 100;
  const text =
    percent < 1 ? "less than 1%" : `${now < before && now > 0 && percent > 99 ? "over 99" : Math.round(percent)}%`;
  return `${text} ${now > before ? "more" : "less"}`;
}
