import { expect, test } from "vitest";
import { sharesOf } from "./profile.ts";

const frame = (functionName: string, url = "") => ({ functionName, url });

test("time is counted for the package or folder that the innermost file belongs to, in the second half of a profile", () => {
  const nodes = [
    { id: 1, callFrame: frame("(root)"), children: [2, 3, 4, 7] },
    { id: 2, callFrame: frame("(idle)") },
    { id: 3, callFrame: frame("(garbage collector)") },
    { id: 4, callFrame: frame("search", "file:///x/apps/api/search/search.ts"), children: [5, 6] },
    { id: 5, callFrame: frame("write", "file:///x/node_modules/@elastic/transport/esm/Transport.js"), children: [] },
    { id: 6, callFrame: frame("request", "/x/node_modules/undici/lib/client.js"), children: [8] },
    { id: 7, callFrame: frame("end", "node:_http_outgoing"), children: [9] },
    { id: 8, callFrame: frame("writev") },
    { id: 9, callFrame: frame("writeUtf8String") },
  ];
  const second = [2, 3, 4, 5, 8, 9, 7];
  const samples = [4, 4, 4, 4, 4, 4, 4, ...second];
  const timeDeltas = samples.map(() => 10);
  const shares = sharesOf([{ nodes, samples, timeDeltas }]);
  expect(Object.fromEntries(shares.map(({ part, percent }) => [part, Math.round(percent * 6)]))).toEqual({
    "garbage collection": 100,
    "apps/api/search": 100,
    "@elastic/transport": 100,
    "writing to Elasticsearch (system call)": 100,
    "writing to callers (system call)": 100,
    "Node's HTTP": 100,
  });
});
