import { useLocation, useRoute } from "preact-iso";
import { requestJson } from "../../ui/request.ts";
import { Skeleton } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import type { FundingRow, InvestorRow, Pagination } from "../explore/api-rows.ts";
import { writeItem } from "../explore/request/list-text.ts";
import { writeParams } from "../explore/request/params.ts";
import { shownWord } from "../explore/words.ts";
import { count, countryName } from "../format.ts";
import { FollowButton } from "../follow/follow-button.tsx";
import { LookUpFailed } from "./look-up-failed.tsx";
import { ProfileHead } from "./profile-head.tsx";
import { Rounds } from "./rounds.tsx";
import { API } from "../session.ts";
import { useTitle } from "../title.ts";
import { Habits } from "./habits.tsx";

type Profile = Pick<InvestorRow, "id" | "name" | "slug" | "aliases" | "country" | "kind">;
type InvestorResponse = {
  data: { investor: Profile; rounds: FundingRow[]; updated_at: string };
  pagination: Pagination;
};

/** An investor: with whom, in what and how often it invests, and the rounds that it took part in. */
export default function Investor() {
  const { params, query } = useRoute();
  const { path } = useLocation();
  const id = params["id"] ?? "";
  const cursor = query["cursor"];
  const asked = `${API}/v1/investors/${encodeURIComponent(id)}${cursor ? `?${writeParams([["cursor", cursor]])}` : ""}`;
  const loaded = useLoad(asked, async (signal) => (await requestJson<InvestorResponse>(asked, { signal })).body);
  useTitle(loaded.state === "ready" ? loaded.value.data.investor.name : undefined);
  if (loaded.state === "failed") {
    return <LookUpFailed error={loaded.error} what="investor" id={id} retry={loaded.reload} />;
  }
  if (!loaded.value) return <Skeleton rows={8} />;
  const { data, pagination } = loaded.value;
  const { investor } = data;
  const filter: [string, string][] = [["investors", writeItem({ text: investor.id, excluded: false })]];
  return (
    <div class="stack sections" aria-busy={loaded.state === "loading"}>
      <ProfileHead
        list="Investors"
        href="/dashboard/explore/investors"
        name={investor.name}
        known={[
          investor.kind && shownWord(investor.kind),
          investor.country && countryName(investor.country),
          `${count(pagination.count)} ${pagination.count === 1 ? "round" : "rounds"}`,
          investor.aliases.length > 0 && `also known as ${investor.aliases.join(", ")}`,
        ]}
      >
        <FollowButton
          key={investor.id}
          followable={{
            name: investor.name,
            of: { kind: "investor", id: investor.id },
            query: writeParams(filter),
          }}
        />
      </ProfileHead>
      {pagination.count > 0 && <Habits key={investor.id} id={investor.id} filter={filter} />}
      <Rounds
        rounds={data.rounds}
        pagination={pagination}
        of="investor"
        href={path}
        exploreHref={`/dashboard/explore/funding?${writeParams(filter)}`}
      />
      <p class="muted anywhere">
        Id <code>{investor.id}</code>, changed on <When time={data.updated_at} as="day" />
      </p>
    </div>
  );
}
