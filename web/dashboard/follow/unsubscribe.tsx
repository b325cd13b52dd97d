import { useEffect, useState } from "preact/hooks";
import { NarrowPage } from "../../ui/frame.tsx";
import { Failed, Loading, Notice } from "../../ui/states.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useLoad } from "../../ui/use-load.ts";
import { post } from "../session.ts";
import { titleOf } from "../title.ts";

/** Ends a follow by the link in its mails, whose token is in the fragment. Only the button ends it: mail scanners open links. */
export function Unsubscribe() {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => void (document.title = titleOf("Stop following")), []);
  const loaded = useLoad("unsubscribe", (signal) => post("/unsubscribe/look", { token }, signal));
  const [isOver, setIsOver] = useState(false);
  const { busy, failed, attempt } = useAttempt();
  const end = () =>
    attempt(async () => {
      await post("/unsubscribe", { token });
      setIsOver(true);
    });
  const error = failed ?? (loaded.state === "failed" ? loaded.error : undefined);
  return (
    <NarrowPage name="Tranche">
      <h1>Stop following</h1>
      {isOver || error?.code === "not_found" ? (
        <Notice>
          <p>You do not follow this any more, and get no further mails about it.</p>
        </Notice>
      ) : error?.code === "link_unusable" ? (
        <Notice kind="danger">
          <p>
            <strong>This link was not copied as a whole.</strong> Open it in the mail, or look at “Following” in the
            dashboard.
          </p>
        </Notice>
      ) : error ? (
        <Failed error={error} retry={failed ? () => void end() : loaded.reload} />
      ) : loaded.value ? (
        <>
          <p>
            <span class="anywhere">{loaded.value.email}</span> gets mails about{" "}
            <strong class="anywhere">{loaded.value.name}</strong>.
          </p>
          <p>
            <button type="button" class="button primary" disabled={busy} onClick={() => void end()}>
              Stop these mails
            </button>
          </p>
        </>
      ) : (
        <Loading what="the link" />
      )}
    </NarrowPage>
  );
}
