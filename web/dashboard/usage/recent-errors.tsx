import { useState } from "preact/hooks";
import type { RecentErrorsView } from "../data.ts";
import { Failed, Loading } from "../../ui/states.tsx";
import { type Loaded, useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { get, useSession } from "../session.ts";
import { type ErrorGroup, groupedErrors } from "./grouped-errors.ts";

const FIRST = 10;

export const useRecentErrors = (): Loaded<RecentErrorsView> & { reload: () => void } =>
  useLoad("recent errors", (signal) => get("/usage/errors", signal));

/** Requests that were refused or failed, with what to do. */
export function RecentErrors({ loaded }: { loaded: ReturnType<typeof useRecentErrors> }) {
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
  const groups = groupedErrors(value.errors);
  return (
    <>
      <ul class="errors">
        {(all ? groups : groups.slice(0, FIRST)).map((group) => (
          <ErrorItem key={group.newest.request_id} {...group} />
        ))}
      </ul>
      {!all && groups.length > FIRST && (
        <p>
          <button type="button" class="button" onClick={() => setAll(true)}>
            Show all {groups.length}
          </button>
        </p>
      )}
    </>
  );
}

function ErrorItem({ newest: error, times }: ErrorGroup) {
  const { api_url } = useSession();
  return (
    <li>
      <p class="error-head">
        <strong>
          {error.status} <a href={`${api_url}/docs/errors#${error.code}`}>{error.code}</a>
        </strong>
        <When time={error.at} as="second" />
        <span class="muted anywhere">{error.key}</span>
        {times.length > 1 && <strong>{times.length} times</strong>}
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
      {times.length === 1 ? (
        <p class="muted">
          Request id: <code>{error.request_id}</code>
        </p>
      ) : (
        <details class="muted">
          <summary>{times.length} request ids</summary>
          <ul class="request-ids">
            {times.map(({ at, request_id }) => (
              <li key={request_id}>
                <When time={at} as="second" /> <code>{request_id}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** Text with code in backticks. */
function Prose({ text }: { text: string }) {
  return <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}
