import { expect, test } from "vitest";
import { oauthAddresses } from "./oauth-addresses.ts";

const base = {
  TRANCHE_PUBLIC_URL: undefined,
  TRANCHE_DASHBOARD_URL: undefined,
  TRANCHE_DASHBOARD_PORT: 3002,
  TRANCHE_API_URL: "http://127.0.0.1:3000",
};

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
