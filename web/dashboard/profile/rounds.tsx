import { count } from "../format.ts";
import type { FundingRow, Pagination } from "../explore/api-rows.ts";
import { amount, companyHref, investorHref } from "../explore/results/columns.tsx";
import { AnnouncedDay } from "../explore/results/announced-day.tsx";
import { shownWord } from "../explore/words.ts";
import "./rounds.css";

const MOST_NAMED = 6;

/** The rounds of a company or an investor along a line, the newest first, a page at a time. `of` is whose rounds they are. */
export function Rounds({
  rounds,
  pagination,
  of,
  href,
  exploreHref,
}: {
  rounds: readonly FundingRow[];
  pagination: Pagination;
  of: "company" | "investor";
  /** The page itself. */
  href: string;
  exploreHref: string;
}) {
  const largest = Math.max(...rounds.map(({ amount_usd: dollars }) => dollars ?? 0), 1);
  return (
    <section class="stack" aria-labelledby="rounds-name">
      <div class="row between">
        <h2 id="rounds-name">Rounds ({count(pagination.count)})</h2>
        {rounds.length > 0 && <a href={exploreHref}>All in Explore</a>}
      </div>
      {rounds.length === 0 ? (
        <p class="muted">No round is known.</p>
      ) : (
        <ol class="rounds">
          {rounds.map((round) => (
            <li key={round.id} id={round.id} tabIndex={-1}>
              <Dot share={(round.amount_usd ?? 0) / largest} />
              <p class="round-day muted">
                <AnnouncedDay date={round.announced_date} />
              </p>
              <div class="anywhere">
                <p>
                  {of === "investor" && (
                    <>
                      <a class="round-company" href={companyHref(round.company.id)}>
                        {round.company.name}
                      </a>
                      {", "}
                    </>
                  )}
                  <b>{shownWord(round.deal_type)}</b>, {amount(round.amount_usd)}
                </p>
                <Investors round={round} />
              </div>
              {isWebAddress(round.source_url) && (
                <p class="round-source">
                  <a href={round.source_url} target="_blank" rel="noreferrer noopener">
                    Source<span class="visually-hidden"> of {shownWord(round.deal_type)}, opens a new tab</span>
                  </a>
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
      {(pagination.offset === null || pagination.next_cursor !== null) && (
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
        </nav>
      )}
    </section>
  );
}

/** Larger rounds have larger dots: their areas are as their amounts. */
function Dot({ share }: { share: number }) {
  const size = `${(0.5 + Math.sqrt(share)).toFixed(2)}rem`;
  return (
    <span class="round-dot" aria-hidden="true">
      <span style={{ width: size, height: size }} />
    </span>
  );
}

function Investors({ round: { investors, investor_count: all } }: { round: FundingRow }) {
  if (investors.length === 0) return <p class="muted">Investors unknown</p>;
  const named = [...investors.filter((one) => one.is_lead), ...investors.filter((one) => !one.is_lead)].slice(
    0,
    MOST_NAMED,
  );
  const leads = named.filter(({ is_lead }) => is_lead).length;
  return (
    <p class="muted">
      {named.map(({ id, name }, at) => (
        <span key={id}>
          {at === 0 ? (leads > 0 ? "Led by " : "With ") : at === leads ? ", with " : ", "}
          <a href={investorHref(id)}>{name}</a>
        </span>
      ))}
      {all > named.length && ` and ${count(all - named.length)} more`}
    </p>
  );
}

const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//.test(url);
