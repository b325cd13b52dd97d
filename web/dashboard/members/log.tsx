import { useState } from "preact/hooks";
import type { LogView } from "../data.ts";
import type { RequestFailed } from "../../ui/request.ts";
import { Failed, Skeleton } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { get } from "../session.ts";

const page = (after: string | null, signal?: AbortSignal) =>
  get(after === null ? "/log" : `/log?after=${encodeURIComponent(after)}`, signal);

/** Who did what to the account, the newest first. */
export default function Log() {
  const loaded = useLoad("log", (signal) => page(null, signal));
  const [older, setOlder] = useState<readonly LogView[]>([]);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<RequestFailed>();
  const pages = loaded.value ? [loaded.value, ...older] : [];
  const next = pages.at(-1)?.next ?? null;
  const showOlder = async () => {
    setBusy(true);
    setFailed(undefined);
    try {
      const read = await page(next);
      setOlder((last) => [...last, read]);
    } catch (error) {
      setFailed(error as RequestFailed);
    }
    setBusy(false);
  };
  return (
    <div class="stack">
      <h1>Log</h1>
      <p class="measure muted">
        What members and operators did to this account: keys, members, sessions, feed links and webhooks. Nothing is
        deleted from it.
      </p>
      {loaded.state === "failed" && <Failed error={loaded.error} retry={loaded.reload} />}
      {!loaded.value && loaded.state === "loading" && <Skeleton rows={8} />}
      {loaded.value && (
        <ol class="items" aria-label="Log">
          {pages.flatMap(({ entries }) =>
            entries.map(({ id, at, who, what }) => (
              <li key={id}>
                <p class="anywhere">
                  <strong>{who}</strong> {what}
                </p>
                <p class="muted">
                  <When time={at} as="second" />
                </p>
              </li>
            )),
          )}
        </ol>
      )}
      {failed && <Failed error={failed} />}
      {next !== null && (
        <p>
          <button type="button" class="button" disabled={busy} onClick={() => void showOlder()}>
            Show older entries
          </button>
        </p>
      )}
    </div>
  );
}
