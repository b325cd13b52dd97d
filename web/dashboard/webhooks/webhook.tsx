import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { Done, Failed, Reading } from "../../ui/states.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { get, useSend } from "../session.ts";
import { Deliveries } from "./deliveries.tsx";
import { DeleteWebhook, ResumeWebhook, RotateSecret } from "./dialogs.tsx";
import { Status } from "./status.tsx";
import { Subject } from "./subject.tsx";

type Opened = "resume" | "rotate" | "delete";

/** One webhook: where it stands, what was sent, and what can be done with it. */
export default function WebhookPage({ id }: { id: string }) {
  const path = `/webhooks/${encodeURIComponent(id)}` as const;
  const loaded = useLoad(path, (signal) => get(path, signal));
  const parameters = useLoad("parameters", (signal) => get("/parameters", signal));
  const send = useSend();
  const { route } = useLocation();
  const [opened, setOpened] = useState<Opened>();
  const { busy, failed, attempt } = useAttempt();
  const [done, setDone] = useState<string>();
  const { value } = loaded;
  const close = () => {
    setOpened(undefined);
    loaded.reload();
  };
  /** Asks for something that needs no question before. */
  const ask = async (asked: Promise<object>) => {
    setDone(undefined);
    await attempt(async () => {
      const sent: { text?: string } = await asked;
      setDone(sent.text);
    });
    loaded.reload();
  };
  return (
    <div class="stack sections">
      <div class="stack">
        <p>
          <a href="/dashboard/webhooks">Webhooks</a>
        </p>
        <h1 class="anywhere">{value?.webhook.name ?? "A webhook"}</h1>
      </div>
      <Reading of={loaded} rows={6} />
      {failed && <Failed error={failed} />}
      <Done text={done} />
      {value && (
        <>
          <div class="stack">
            <p>
              <Status webhook={value.webhook} />
            </p>
            <p class="anywhere">
              Changes of <Subject webhook={value.webhook} fields={parameters.value} /> go to {value.webhook.url}
            </p>
            <p>
              Last delivered: {value.last_success_at ? <When time={value.last_success_at} /> : "never"}.
              {value.failing_since && value.next_attempt_at && (
                <>
                  {" "}
                  Deliveries have failed since <When time={value.failing_since} />. The next attempt is{" "}
                  <When time={value.next_attempt_at} />.
                </>
              )}
            </p>
            <div class="row">
              <button
                type="button"
                class="button"
                disabled={busy}
                onClick={() => void ask(send("POST", `${path}/test`))}
              >
                Send a test
              </button>
              {value.webhook.status === "active" && value.failing_since !== null && (
                <button
                  type="button"
                  class="button primary"
                  disabled={busy}
                  onClick={() => void ask(send("POST", `${path}/resume`, {}))}
                >
                  Try again now
                </button>
              )}
              {value.webhook.status === "active" ? (
                <button
                  type="button"
                  class="button"
                  disabled={busy}
                  onClick={() => void ask(send("POST", `${path}/pause`))}
                >
                  Pause
                </button>
              ) : value.webhook.status === "pending" ? (
                <button
                  type="button"
                  class="button primary"
                  disabled={busy}
                  onClick={() => void ask(send("POST", `${path}/resume`, {}))}
                >
                  Ask the receiver
                </button>
              ) : (
                <button type="button" class="button primary" disabled={busy} onClick={() => setOpened("resume")}>
                  Resume
                </button>
              )}
              <button type="button" class="button" disabled={busy} onClick={() => setOpened("rotate")}>
                Rotate the secret
              </button>
              <button type="button" class="button danger" disabled={busy} onClick={() => setOpened("delete")}>
                Delete
              </button>
            </div>
          </div>
          <Deliveries
            deliveries={value.deliveries}
            busy={busy}
            resend={(delivery) => void ask(send("POST", `${path}/resend`, { delivery }))}
          />
        </>
      )}
      {opened === "resume" && value && <ResumeWebhook path={path} lostPlace={value.webhook.lost_place} close={close} />}
      {opened === "rotate" && <RotateSecret path={path} close={close} />}
      {opened === "delete" && (
        <DeleteWebhook path={path} close={close} deleted={() => route("/dashboard/webhooks", true)} />
      )}
    </div>
  );
}
