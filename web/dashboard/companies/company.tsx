import { useLocation, useRoute } from "preact-iso";
import type { presentCompany } from "../../../apps/api/present/company.ts";
import { requestJson } from "../../ui/request.ts";
import { Loading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import type { FundingRow, Pagination } from "../explore/api-rows.ts";
import { Facts } from "../explore/facts.tsx";
import { LookUpFailed } from "../explore/look-up-failed.tsx";
import { companyHref } from "../explore/results/columns.tsx";
import { RoundsSection } from "../explore/rounds-section.tsx";
import { writeParams } from "../explore/request/params.ts";
import { writeItem } from "../explore/request/list-text.ts";
import { count, countryName, exactMoney, money } from "../format.ts";
import { API } from "../session.ts";
import { useTitle } from "../title.ts";
import { ScoreSection } from "./score-section.tsx";

type Profile = Omit<ReturnType<typeof presentCompany>, "rounds"> & { rounds: FundingRow[] };
type CompanyResponse = { data: Profile; pagination: Pagination };

/** A company: its facts, the parts of its score, and its rounds. */
export default function Company() {
  const { params, query } = useRoute();
  const { path } = useLocation();
  const id = params["id"] ?? "";
  const cursor = query["cursor"];
  const asked = `${API}/v1/companies/${encodeURIComponent(id)}${cursor ? `?${writeParams([["cursor", cursor]])}` : ""}`;
  const loaded = useLoad(asked, async (signal) => (await requestJson<CompanyResponse>(asked, { signal })).body);
  useTitle(loaded.state === "ready" ? loaded.value.data.company.name : undefined);
  if (loaded.state === "failed") {
    return <LookUpFailed error={loaded.error} what="company" hrefOf={companyHref} retry={loaded.reload} />;
  }
  if (!loaded.value) return <Loading what="the company" />;
  const { data, pagination } = loaded.value;
  const { company } = data;
  const place = [company.city, company.country && countryName(company.country)].filter(Boolean).join(", ");
  return (
    <div class="stack" aria-busy={loaded.state === "loading"}>
      <h1>{company.name}</h1>
      <Facts
        facts={{
          "Signal score": `${data.signal_score} of 100`,
          Place: place,
          Category: company.category,
          Domain: data.domain,
          Founded: data.founded_year,
          Headcount: data.headcount === null ? undefined : count(data.headcount),
          Raised:
            data.total_raised_usd === null ? (
              "undisclosed"
            ) : (
              <span title={exactMoney(data.total_raised_usd)}>{money(data.total_raised_usd)}</span>
            ),
          Rounds: count(data.round_count),
          Technologies: data.tech_stack.join(", "),
          "Also known as": data.aliases.join(", "),
          Id: <code>{company.id}</code>,
          "Newest change": data.updated_at.slice(0, 10),
        }}
      />
      <ScoreSection score={data.signal_score} signals={data.signals} />
      <RoundsSection
        rounds={data.rounds}
        pagination={pagination}
        withCompany={false}
        href={path}
        exploreHref={`/dashboard/explore/funding?${writeParams([["companies", writeItem({ text: company.id, excluded: false })]])}`}
      />
    </div>
  );
}
