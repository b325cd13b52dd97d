import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createAllowsOrigin } from "./origin.ts";

const allows = createAllowsOrigin({
  publicUrl: "https://api.example.com/tranche",
  allowed: ["https://app.example.com"],
});
const asked = (origin: string | undefined, host = "api.example.com", localAddress = "10.0.0.7") =>
  allows({ headers: { origin, host }, socket: { localAddress } } as IncomingMessage);

test.each<[boolean, Parameters<typeof asked>]>([
  [true, [undefined]],
  [true, ["https://api.example.com"]],
  [true, ["https://app.example.com"]],
  [false, ["http://api.example.com"]],
  [false, ["https://app.example.com:8443"]],
  [false, ["https://evil.example"]],
  [false, ["null"]],
  [false, [""]],
  // On one machine.
  [true, ["http://localhost:6274", "localhost:3000", "127.0.0.1"]],
  [true, ["http://127.0.0.1:6274", "127.0.0.1:3000", "::ffff:127.0.0.1"]],
  [true, ["http://[::1]:6274", "[::1]:3000", "::1"]],
  // A page of this machine that asks another one, or that asks through a proxy of this one.
  [false, ["http://localhost:6274", "localhost:3000", "10.0.0.7"]],
  [false, ["http://localhost:6274", "api.example.com", "127.0.0.1"]],
  // A name of a stranger that leads to this machine.
  [false, ["http://evil.example:3000", "evil.example:3000", "127.0.0.1"]],
  [false, ["http://localhost.evil.example", "localhost", "127.0.0.1"]],
])("%s for %j", (expected, given) => {
  expect(asked(...given)).toBe(expected);
});
