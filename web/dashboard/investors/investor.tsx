import { useLocation, useRoute } from "preact-iso";
import { requestJson } from "../../ui/request.ts";
import { Loading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import type { FundingRow, InvestorRow, Pagination } from "../explore/api-rows.ts";
import { Facts } from "../explore/facts.tsx";
import { LookUpFailed } from "../explore/look-up-failed.tsx";
import { investorHref } from "../explore/results/columns.tsx";
import { RoundsSection } from "../explore/rounds-section.tsx";
import { writeItem } from "../explore/request/list-text.ts";
import { writeParams } from "../explore/request/params.ts";
import { count, countryName } from "../format.ts";
import { API } from "../session.ts";
import { useTitle } from "../title.ts";

type Profile = Pick<InvestorRow, "id" | "name" | "slug" | "aliases" | "country" | "kind">;
type InvestorResponse = {
  data: { investor: Profile; rounds: FundingRow[]; updated_at: string };
  pagination: Pagination;
};

/** An investor and the rounds that it took part in. */
export default function Investor() {
  const { params, query } = useRoute();
  const { path } = useLocation();
  const id = params["id"] ?? "";
  const cursor = query["cursor"];
  const asked = `${API}/v1/investors/${encodeURIComponent(id)}${cursor ? `?${writeParams([["cursor", cursor]])}` : ""}`;
  const loaded = useLoad(asked, async (signal) => (await requestJson<InvestorResponse>(asked, { signal })).body);
  useTitle(loaded.state === "ready" ? loaded.value.data.investor.name : undefined);
  if (loaded.state === "failed") {
    return <LookUpFailed error={loaded.error} what="investor" hrefOf={investorHref} retry={loaded.reload} />;
  }
  if (!loaded.value) return <Loading what="the investor" />;
  const { data, pagination } = loaded.value;
  const { investor } = data;
  const filter = writeParams([["investors", writeItem({ text: investor.id, excluded: false })]]);
  return (
    <div class="stack" aria-busy={loaded.state === "loading"}>
      <h1>{investor.name}</h1>
      <Facts
        facts={{
          Country: investor.country === null ? undefined : countryName(investor.country),
          Kind: investor.kind,
          Rounds: count(pagination.count),
          "Also known as": investor.aliases.join(", "),
          Id: <code>{investor.id}</code>,
          "Newest change": data.updated_at.slice(0, 10),
        }}
      />
      <p>
        <a href={`/dashboard/explore/funding?${filter}&view=charts`}>Charts of its rounds</a> (3 requests)
      </p>
      <RoundsSection
        rounds={data.rounds}
        pagination={pagination}
        withCompany
        href={path}
        exploreHref={`/dashboard/explore/funding?${filter}`}
      />
    </div>
  );
}
