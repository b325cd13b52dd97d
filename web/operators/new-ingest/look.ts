import type { OperatorRequests } from "../../../apps/operators/routes/routes.ts";
import type { FileView } from "../data.ts";
import { RequestFailed } from "../../ui/request.ts";
import type { Send } from "../../ui/site-session.ts";

/** Rows are recognised by the beginning of a file. One JSON object has no rows until it is whole. */
const BEGINNING = 256 * 1024;
const BEGINNING_OF_OBJECT = 4 * 1024 * 1024;
const GZIP_BEGINS = 0x1f;
const BLANK = /^[\s\uFEFF]*/;

/** Corrections and answers, by the id of their question or meaning. */
export type Answers = Readonly<Record<string, string>>;

/** Shows what a file means, by a stored mapping or by a suggestion with these answers. Sends only its beginning. */
export async function look(send: Send<OperatorRequests>, file: File, map: string, answers: Answers): Promise<FileView> {
  const first = await bytesOf(file.slice(0, BEGINNING));
  const length = first[0] === GZIP_BEGINS || isOneObject(first) ? BEGINNING_OF_OBJECT : BEGINNING;
  const query = new URLSearchParams(Object.entries(answers).map(([id, answer]) => ["answer", `${id}=${answer}`]));
  if (file.size > length) query.set("cut", "true");
  if (map !== "") query.set("map", map);
  return send("POST", `/files/look?${query}`, file.slice(0, length));
}

/** Whether a file is one object over several lines, rather than one on each line. */
function isOneObject(beginning: Uint8Array): boolean {
  const text = new TextDecoder().decode(beginning).replace(BLANK, "");
  if (!text.startsWith("{")) return false;
  try {
    JSON.parse(text.split("\n", 1)[0]!);
    return false;
  } catch {
    return true;
  }
}

/** The browser refuses to read folders, and files that changed since they were chosen. */
async function bytesOf(part: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await part.arrayBuffer());
  } catch {
    throw new RequestFailed("The browser can't read this file. Is it a folder, or has it changed? Choose it again.", {
      code: "unreadable",
      status: 0,
    });
  }
}
