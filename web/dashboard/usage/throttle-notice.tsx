import { Notice } from "../../ui/states.tsx";
import { shownTime } from "../../ui/when.tsx";
import type { Usage } from "./use-usage.ts";

/** Says that the operators have lowered the limits of the account; nothing while they have not. */
export function ThrottleNotice({ throttle }: Pick<Usage, "throttle">) {
  if (!throttle) return null;
  const until = throttle.until === null ? "until they end it" : `until ${shownTime(throttle.until)}`;
  return (
    <Notice kind="warning">
      <p>
        <strong>The operators of this service have lowered the limits of this account</strong> below those of its plan,{" "}
        {until}. Ask them for the reason.
      </p>
    </Notice>
  );
}
