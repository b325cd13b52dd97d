import { useState } from "preact/hooks";
import type { RequestFailed } from "./request.ts";

/**
 * Does something at a press of a button: whether it is under way, and why the last one failed. `leaves`: a success leads to another page, so
 * the button stays off until then.
 */
export function useAttempt({ leaves = false }: { leaves?: boolean } = {}) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<RequestFailed>();
  /** Resolves with whether it succeeded. */
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setFailed(undefined);
    try {
      await work();
      if (!leaves) setBusy(false);
      return true;
    } catch (error) {
      setFailed(error as RequestFailed);
      setBusy(false);
      return false;
    }
  };
  return { busy, failed, attempt, forget: () => setFailed(undefined) };
}
