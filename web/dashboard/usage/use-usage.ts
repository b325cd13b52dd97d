import { useEffect } from "preact/hooks";
import type { presentUsage } from "../../../apps/api/present/usage.ts";
import type { DailyUsageView } from "../data.ts";
import { requestJson } from "../../ui/request.ts";
import { type Loaded, useLoad } from "../../ui/use-load.ts";
import { API, get } from "../session.ts";

/** Plan and windows, as the API says them. */
export type Usage = ReturnType<typeof presentUsage>;

/** The current usage. When this minute is used up the API says so, and the page reads again once it answers. */
export function useUsage(): Loaded<Usage> & { reload: () => void } {
  const loaded = useLoad(
    "usage",
    async (signal) => (await requestJson<{ data: Usage }>(`${API}/v1/usage`, { signal })).body.data,
  );
  const full = loaded.state === "failed" && loaded.error.code === "rate_limited";
  const waits = full ? loaded.error.retryAfterSeconds : undefined;
  useEffect(() => {
    if (waits === undefined) return;
    const timer = setTimeout(loaded.reload, waits * 1000);
    return () => clearTimeout(timer);
  }, [loaded.state, waits]);
  return loaded;
}

export const useDailyUsage = (): Loaded<DailyUsageView> & { reload: () => void } =>
  useLoad("daily usage", (signal) => get("/usage/daily", signal));
