import { failureOf, noAnswer } from "../../ui/request.ts";
import type { ChosenSet } from "./set-field.tsx";

/** Of the name of an upload. */
const MAX_NAME = 200;

type Upload = {
  file: File;
  /** `name@version`; undefined for a file of records. */
  map: string | undefined;
  set: ChosenSet;
  csrfToken: string;
  /** Gets the bytes that were sent. They are read here as fast as they are sent. */
  onSent: (bytes: number) => void;
  signal: AbortSignal;
};

/**
 * Sends a file to `POST /ingest` and resolves with the id of its run when all of it is in the queue, also where rows were refused. Rejects
 * with RequestFailed, or with the reason of `signal` if it has aborted before. The browser reads the file piece by piece; only
 * XMLHttpRequest says how far it is.
 */
export async function upload({ file, map, set, csrfToken, onSent, signal }: Upload): Promise<string> {
  signal.throwIfAborted();
  const query = new URLSearchParams({ file: file.name.slice(-MAX_NAME), ...(map === undefined ? {} : { map }) });
  if (set.name.trim() !== "") query.set("set", set.name.trim());
  if (set.name.trim() !== "" && set.allowAll) query.set("allow_deletes", "100%");
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    signal.addEventListener("abort", () => request.abort());
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
    request.addEventListener("error", () => reject(noAnswer()));
    request.addEventListener("load", () => {
      const type = request.getResponseHeader("Content-Type") ?? "";
      const run = type.includes("json") ? (JSON.parse(request.responseText) as { run?: string }).run : undefined;
      if (run !== undefined) return resolve(run);
      const headers = new Headers({ "Content-Type": type });
      const retryAfter = request.getResponseHeader("Retry-After");
      if (retryAfter !== null) headers.set("Retry-After", retryAfter);
      reject(failureOf(request.status, request.responseText, headers));
    });
    request.open("POST", `/ingest?${query}`);
    request.setRequestHeader("X-CSRF-Token", csrfToken);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.send(file);
  });
}
