import { useState } from "preact/hooks";
import type { RecentErrorsView, RecentErrorView } from "../../../apps/dashboard/routes/usage.ts";
import { Failed, Loading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { get, useSession } from "../session.ts";
import { Prose } from "./prose.tsx";

const FIRST = 10;

/** Requests that were refused or failed, with what to do. */
export function RecentErrors() {
  const loaded = useLoad("recent errors", (signal) => get<RecentErrorsView>("/usage/errors", signal));
  const [all, setAll] = useState(false);
  const { value } = loaded;
  if (!value) {
    return loaded.state === "failed" ? (
      <Failed error={loaded.error} retry={loaded.reload} />
    ) : (
      <Loading what="recent errors" />
    );
  }
  if (value.errors.length === 0) {
    return <p class="muted">No request was refused or failed in the last {value.days} days.</p>;
  }
  return (
    <>
      <ul class="errors">
        {(all ? value.errors : value.errors.slice(0, FIRST)).map((error) => (
          <ErrorItem key={`${error.at} ${error.request_id}`} error={error} />
        ))}
      </ul>
      {!all && value.errors.length > FIRST && (
        <p>
          <button type="button" class="button" onClick={() => setAll(true)}>
            Show all {value.errors.length}
          </button>
        </p>
      )}
    </>
  );
}

function ErrorItem({ error }: { error: RecentErrorView }) {
  const { api_url } = useSession();
  return (
    <li>
      <p class="error-head">
        <strong>
          {error.status} <a href={`${api_url}/docs/errors#${error.code}`}>{error.code}</a>
        </strong>
        <When time={error.at} as="second" />
        <span class="muted">{error.key}</span>
      </p>
      <p>
        <code>
          {error.method} {error.url}
        </code>
      </p>
      <p>{error.message}</p>
      <p class="muted">
        <Prose text={error.remedy} />
      </p>
      <p class="muted">
        Request id: <code>{error.request_id}</code>
      </p>
    </li>
  );
}
