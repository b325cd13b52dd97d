import { shownNumber } from "../parts/figures.ts";
import { hrefOf, type Place } from "./place.ts";

/** Leads to the pages before and after. */
export function Pager({ queue, place, pages }: { queue: string; place: Place; pages: number }) {
  const { page } = place;
  if (pages < 2) return null;
  return (
    <nav aria-label="Pages of jobs" class="row">
      {page > 1 && <a href={hrefOf(queue, { ...place, page: page - 1 })}>Previous</a>}
      <span class="muted">
        Page {shownNumber(page)} of {shownNumber(pages)}
      </span>
      {page < pages && <a href={hrefOf(queue, { ...place, page: page + 1 })}>Next</a>}
    </nav>
  );
}
