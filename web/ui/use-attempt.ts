import { useEffect, useState } from "preact/hooks";
import type { RequestFailed } from "./request.ts";

/**
 * Does something at a press of a button: whether it is under way, and why the last one failed. `leaves`: a success leads to another page, so
 * the button stays off until then, or until somebody comes back.
 */
export function useAttempt({ leaves = false }: { leaves?: boolean } = {}) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<RequestFailed>();
  useEffect(() => {
    if (!leaves) return undefined;
    // The browser's Back shows a page of its memory as it was left.
    const shown = ({ persisted }: PageTransitionEvent) => persisted && setBusy(false);
    addEventListener("pageshow", shown);
    return () => removeEventListener("pageshow", shown);
  }, [leaves]);
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
