import { useLocation, useRoute } from "preact-iso";
import type { presentCompany } from "../../../apps/api/present/company.ts";
import { requestJson } from "../../ui/request.ts";
import { Skeleton } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import type { FundingRow, Pagination } from "../explore/api-rows.ts";
import { writeItem } from "../explore/request/list-text.ts";
import { writeParams } from "../explore/request/params.ts";
import { amount, placeOf } from "../explore/results/columns.tsx";
import { shownWord } from "../explore/words.ts";
import { count, countryName } from "../format.ts";
import { FollowButton } from "../follow/follow-button.tsx";
import { Facts } from "./facts.tsx";
import { LookUpFailed } from "./look-up-failed.tsx";
import { ProfileHead } from "./profile-head.tsx";
import { Rounds } from "./rounds.tsx";
import { API } from "../session.ts";
import { useTitle } from "../title.ts";
import { Signals } from "./signals.tsx";

type Profile = Omit<ReturnType<typeof presentCompany>, "rounds"> & { rounds: FundingRow[] };
type CompanyResponse = { data: Profile; pagination: Pagination };

/** A company: what is known of it, its rounds along a line, and why its score is what it is. */
export default function Company() {
  const { params, query } = useRoute();
  const { path } = useLocation();
  const id = params["id"] ?? "";
  const cursor = query["cursor"];
  const asked = `${API}/v1/companies/${encodeURIComponent(id)}${cursor ? `?${writeParams([["cursor", cursor]])}` : ""}`;
  const loaded = useLoad(asked, async (signal) => (await requestJson<CompanyResponse>(asked, { signal })).body);
  useTitle(loaded.state === "ready" ? loaded.value.data.company.name : undefined);
  if (loaded.state === "failed") {
    return <LookUpFailed error={loaded.error} what="company" id={id} retry={loaded.reload} />;
  }
  if (!loaded.value) return <Skeleton rows={8} />;
  const { data, pagination } = loaded.value;
  const { company, latest_funding: latest } = data;
  // The count of a company has only rounds up to the day of the service.
  const future = pagination.count - data.round_count;
  return (
    <div class="stack sections" aria-busy={loaded.state === "loading"}>
      <ProfileHead
        list="Companies"
        href="/dashboard/explore/companies"
        name={company.name}
        known={[
          placeOf(company),
          company.category && shownWord(company.category),
          data.founded_year && `founded in ${data.founded_year}`,
          data.headcount === null ? null : `${count(data.headcount)} ${data.headcount === 1 ? "person" : "people"}`,
          data.domain && <Domain domain={data.domain} />,
        ]}
      >
        <p class="profile-score">
          <b>{data.signal_score}</b> signal score of 100
        </p>
        <FollowButton
          key={company.id}
          followable={{
            name: company.name,
            of: { kind: "companies", ids: [company.id] },
            query: writeParams([["companies", writeItem({ text: company.id, excluded: false })]]),
          }}
        />
      </ProfileHead>
      <Facts
        facts={{
          Raised: amount(data.total_raised_usd),
          Rounds: `${count(data.round_count)}${future > 0 ? `, and ${count(future)} in the future` : ""}`,
          "Latest round": latest && (
            <>
              {shownWord(latest.deal_type)}, <When time={latest.announced_date} as="day" />
            </>
          ),
          Technologies: data.tech_stack.join(", "),
          "Also known as": data.aliases.join(", "),
        }}
      />
      <Rounds
        rounds={data.rounds}
        pagination={pagination}
        of="company"
        href={path}
        exploreHref={`/dashboard/explore/funding?${writeParams([["companies", writeItem({ text: company.id, excluded: false })]])}`}
      />
      <Signals score={data.signal_score} signals={data.signals} rounds={data.rounds} />
      <footer class="stack anywhere">
        {(company.category !== null || company.country !== null) && (
          <p>
            <a href={similarHref(company)}>Companies of the same kind</a>
            <span class="muted">
              {" "}
              (
              {[company.category && shownWord(company.category), company.country && countryName(company.country)]
                .filter(Boolean)
                .join(", ")}
              )
            </span>
          </p>
        )}
        <p class="muted anywhere">
          Id <code>{company.id}</code>, changed on <When time={data.updated_at} as="day" />
        </p>
      </footer>
    </div>
  );
}

const Domain = ({ domain }: { domain: string }) => (
  <a href={`https://${domain}`} target="_blank" rel="noreferrer noopener">
    {domain}
    <span class="visually-hidden">, opens a new tab</span>
  </a>
);

/** Those with the same category and country, by score. */
function similarHref({ category, country }: Profile["company"]): string {
  const item = (text: string) => writeItem({ text, excluded: false });
  const filters: [string, string][] = [
    ...(category === null ? [] : [["category", item(category)] as [string, string]]),
    ...(country === null ? [] : [["country", country] as [string, string]]),
    ["sort", "signal_score_desc"],
  ];
  return `/dashboard/explore/companies?${writeParams(filters)}`;
}
