// Answers as a later version of the service at BASE_URL might: with words and members that its OpenAPI document does not name.
// Prints its address. `node later-version.ts`
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const base = process.env["BASE_URL"]!;

/** New words, by the member that has them; `key` is a signal's only beside what signals have. */
const WORDS: Record<string, string> = {
  deal_type: "later_deal_type",
  top_signal_key: "later_signal",
  code: "later_code",
};

function later(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(later);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => {
    if (name === "signals" && Array.isArray(member) && typeof member[0] === "string")
      return [name, ["later_signal", ...member]];
    if (name === "key" && "detected_at" in value) return [name, "later_signal"];
    return [name, WORDS[name] ?? later(member)];
  });
  return { ...Object.fromEntries(members), later_member: { count: 1, texts: ["new"] } };
}

const server = createServer(async (request, response) => {
  const { authorization = "" } = request.headers;
  const answer = await fetch(`${base}${request.url}`, { headers: { authorization } });
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type")! });
  response.end(JSON.stringify(later(await answer.json())));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
