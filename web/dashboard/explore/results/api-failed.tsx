import type { RequestFailed } from "../../../ui/request.ts";
import { Failed, Notice } from "../../../ui/states.tsx";
import { shownTime } from "../../../ui/when.tsx";
import { labelOf } from "../filters/suggestions.ts";
import { labelOfParameter, withLabels } from "../words.ts";

/** The error of a request to the API, and what to do. Problems of single parameters are at their fields as well. */
export function ApiFailed({ error, retry }: { error: RequestFailed; retry: () => void }) {
  if (error.code === "quota_exceeded") {
    return (
      <Notice kind="warning">
        <p>
          <strong>The requests of this month are used up.</strong>
        </p>
        <p>
          {error.retryAfterSeconds !== undefined &&
            `They come back on ${shownTime(new Date(Date.now() + 1000 * error.retryAfterSeconds))}. `}
          <a href="/dashboard/usage">See what was used</a>. Saved searches and this address stay as they are.
        </p>
      </Notice>
    );
  }
  if (error.code === "invalid_parameter" && error.details.length > 0) {
    return (
      <Notice kind="danger">
        <p>
          <strong>{error.details.length === 1 ? "One filter needs a change." : "Some filters need a change."}</strong>
        </p>
        <ul>
          {error.details.map(({ parameter, message, suggestion }, at) => (
            <li key={at}>
              <b>{labelOfParameter(parameter)}</b>: {withLabels(message ?? "")}
              {suggestion !== undefined && ` Did you mean “${labelOf(parameter, suggestion)}”?`}
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  return <Failed error={error} retry={retry} />;
}
