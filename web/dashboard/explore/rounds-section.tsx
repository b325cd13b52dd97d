import { count } from "../format.ts";
import type { FundingRow, Pagination } from "./api-rows.ts";
import { COLUMNS } from "./results/columns.tsx";
import { RowTable } from "./results/row-table.tsx";

/** The rounds of a company or an investor, a page at a time. */
export function RoundsSection({
  rounds,
  pagination,
  withCompany,
  href,
  exploreHref,
}: {
  rounds: readonly FundingRow[];
  pagination: Pagination;
  withCompany: boolean;
  /** The page itself. */
  href: string;
  exploreHref: string;
}) {
  const columns = COLUMNS.funding.filter(({ head }) => withCompany || (head !== "Company" && head !== "Place"));
  return (
    <section class="stack" aria-labelledby="rounds-name">
      <h2 id="rounds-name">Rounds ({count(pagination.count)})</h2>
      {rounds.length === 0 ? (
        <p class="muted">No round is known.</p>
      ) : (
        <RowTable name="Rounds" columns={columns} rows={rounds} rowKey={(round) => round.id} />
      )}
      <nav class="row" aria-label="Pages of rounds">
        {pagination.offset === null && (
          <a class="button" href={href}>
            Newest rounds
          </a>
        )}
        {pagination.next_cursor !== null && (
          <a class="button" href={`${href}?cursor=${pagination.next_cursor}`}>
            Earlier rounds
          </a>
        )}
        <a href={exploreHref}>All in Explore</a>
      </nav>
    </section>
  );
}
