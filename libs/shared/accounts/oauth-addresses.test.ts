import { expect, test } from "vitest";
import { issuerMetadata, type OAuthAddresses, oauthAddresses, oauthIfOn } from "./oauth-addresses.ts";

const base = {
  TRANCHE_PUBLIC_URL: undefined,
  TRANCHE_DASHBOARD_URL: undefined,
  TRANCHE_DASHBOARD_PORT: 3002,
  TRANCHE_API_URL: "http://127.0.0.1:3000",
  TRANCHE_OAUTH_REGISTRATION: "off",
} as const;

test("on one machine, API and dashboard have addresses of their own", () => {
  expect(oauthAddresses(base)).toEqual({
    issuer: "http://127.0.0.1:3002/dashboard",
    resource: "http://127.0.0.1:3000/mcp",
    resourceMetadata: "http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp",
    issuerMetadataPaths: [
      "/.well-known/oauth-authorization-server/dashboard",
      "/dashboard/.well-known/oauth-authorization-server",
    ],
    resourceMetadataPaths: ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"],
    registration: undefined,
    isOneOrigin: false,
  });
});

test("below a path, the metadata of the resource is where a proxy passes it on", () => {
  expect(oauthAddresses({ ...base, TRANCHE_PUBLIC_URL: "https://example.com/tranche" })).toMatchObject({
    issuer: "https://example.com/tranche/dashboard",
    resource: "https://example.com/tranche/mcp",
    resourceMetadata: "https://example.com/tranche/.well-known/oauth-protected-resource/mcp",
    resourceMetadataPaths: expect.arrayContaining(["/.well-known/oauth-protected-resource/tranche/mcp"]) as string[],
    isOneOrigin: true,
  });
});

test.each([
  ["TRANCHE_PUBLIC_URL", { TRANCHE_API_URL: "http://tranche-api" }],
  ["TRANCHE_PUBLIC_URL", { TRANCHE_PUBLIC_URL: "http://api.example.com" }],
  ["TRANCHE_PUBLIC_URL", { TRANCHE_PUBLIC_URL: "http://127.0.0.1.example.com" }],
  [
    "TRANCHE_DASHBOARD_URL",
    { TRANCHE_PUBLIC_URL: "https://api.example.com", TRANCHE_DASHBOARD_URL: "http://10.0.0.1/dashboard" },
  ],
])("where an address is neither https nor loopback, it is off, and %s is named", (setting, settings) => {
  expect(oauthAddresses({ ...base, ...settings })).toEqual({ off: expect.stringContaining(setting) as string });
});

test("an address to register at is named where it is on", () => {
  const named = (registration: "on" | "off") =>
    issuerMetadata(oauthAddresses({ ...base, TRANCHE_OAUTH_REGISTRATION: registration }) as OAuthAddresses);
  expect(named("off")).not.toHaveProperty("registration_endpoint");
  expect(named("on")).toHaveProperty("registration_endpoint", "http://127.0.0.1:3002/dashboard/oauth/register");
});

test("the log says why it is off", () => {
  const lines: object[] = [];
  const log = { warn: (line: object) => void lines.push(line) };
  expect(oauthIfOn({ ...base, TRANCHE_PUBLIC_URL: "http://api.example.com" }, log as never)).toBeUndefined();
  expect(lines).toEqual([{ reason: expect.stringContaining("http://api.example.com") as string }]);
  expect([oauthIfOn(base, log as never)?.issuer, lines.length]).toEqual(["http://127.0.0.1:3002/dashboard", 1]);
});
