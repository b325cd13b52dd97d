import { useState } from "preact/hooks";
import type { LogView } from "../data.ts";
import { Failed, Reading } from "../../ui/states.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { get } from "../session.ts";

const page = (after: string | null, signal?: AbortSignal) =>
  get(after === null ? "/log" : `/log?after=${encodeURIComponent(after)}`, signal);

/** The log of the account, the newest first. */
export default function Log() {
  const loaded = useLoad("log", (signal) => page(null, signal));
  const [older, setOlder] = useState<readonly LogView[]>([]);
  const { busy, failed, attempt } = useAttempt();
  const pages = loaded.value ? [loaded.value, ...older] : [];
  const next = pages.at(-1)?.next ?? null;
  const showOlder = () =>
    attempt(async () => {
      const read = await page(next);
      setOlder((last) => [...last, read]);
    });
  return (
    <div class="stack">
      <h1>Log</h1>
      <p class="measure muted">
        What members and operators did to this account: keys, members, sessions, feed links and webhooks. Nothing is
        deleted from it.
      </p>
      <Reading of={loaded} rows={8} />
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
