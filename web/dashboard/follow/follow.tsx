import { Reading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { RoleNeeded, useMayDo } from "../members/roles.tsx";
import { get } from "../session.ts";
import { filtersOf } from "./filters-of.ts";
import { FeedLinks } from "./feed-links.tsx";
import { FollowButton } from "./follow-button.tsx";
import type { FollowView } from "../data.ts";
import "./follow.css";

/** The ways to follow a saved search. */
export default function Follow({ id }: { id: string }) {
  const path = `/searches/${encodeURIComponent(id)}/follow` as const;
  const loaded = useLoad(path, (signal) => get(path, signal));
  const view = loaded.value;
  const isDeveloper = useMayDo("developer");
  return (
    <div class="stack sections">
      <div class="stack">
        <p>
          <a href="/dashboard/searches">Saved searches</a>
        </p>
        <h1 class="anywhere">{view ? `Follow “${view.search.name}”` : "Follow a saved search"}</h1>
      </div>
      <Reading of={loaded} rows={4} />
      {view && (
        <>
          <p class="muted measure">
            New rows of this search, and rows that changed, come to you. It follows the search: if somebody changes its
            filters, the feed changes, too.
          </p>
          <section class="stack" aria-labelledby="by-mail">
            <div class="row between">
              <h2 id="by-mail">By mail or in Slack</h2>
              {view.search.list === "funding" && (
                <FollowButton
                  label="Follow"
                  followable={{
                    name: view.search.name,
                    of: { kind: "search", id },
                    query: filtersOf(view.search.query),
                  }}
                />
              )}
            </div>
            <p class="measure">
              {view.search.list === "funding"
                ? "New and changed rounds come to your own address, or to a channel in Slack: at once, every day or every week."
                : "Only searches of funding rounds can be followed by mail or in Slack: signals and scores change every day."}
            </p>
          </section>
          {isDeveloper ? (
            <>
              <FeedLinks view={view} reload={loaded.reload} />
              <ByWebhook search={view.search} query={filtersOf(view.search.query)} />
            </>
          ) : (
            <RoleNeeded needed="developer" what="Feed links and webhooks are" />
          )}
        </>
      )}
    </div>
  );
}

/** The way to a webhook with the filters of a saved search: `query`. */
function ByWebhook({ search, query }: { search: FollowView["search"]; query: string }) {
  if (search.list !== "funding" && search.list !== "signals") return null;
  const prefilled = new URLSearchParams({ create: "", name: search.name, list: search.list, query });
  return (
    <section class="stack" aria-labelledby="by-webhook">
      <div class="row between">
        <h2 id="by-webhook">By webhook</h2>
        <a class="button" href={`/dashboard/webhooks?${prefilled}`}>
          Create a webhook
        </a>
      </div>
      <p class="measure">
        Every change is sent to a program of yours, signed, and nothing is missed. The webhook has a copy of these
        filters: it does not follow the search when its filters change.
      </p>
    </section>
  );
}
