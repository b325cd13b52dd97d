import { useState } from "preact/hooks";
import type { RequestFailed } from "../../ui/request.ts";
import { useSend } from "../session.ts";

/** The one request of a dialog: whether it is under way, why it failed, and what came of it. */
export function useDialogRequest<T>() {
  const request = useSend();
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<RequestFailed>();
  const [result, setResult] = useState<T>();
  const send = async (path: string, body?: object): Promise<boolean> => {
    setSending(true);
    setError(undefined);
    try {
      setResult((await request<{ data: T }>("POST", path, body)).body.data);
      return true;
    } catch (failed) {
      setError(failed as RequestFailed);
      return false;
    } finally {
      setSending(false);
    }
  };
  return { send, sending, error, result };
}
