import { expect, test } from "vitest";
import { withoutKeys } from "./without-keys.ts";

test.each([
  ["/api/v1/funding?api_key=trn_abcdefgh_123&limit=1", "/api/v1/funding?api_key=[redacted]&limit=1"],
  ["/api/v1/funding?k=%74rn_abcdefgh_123", "/api/v1/funding?k=[redacted]"],
  ["/api/v1/funding?k=TRN%5Fabcdefgh%5F123%00456", "/api/v1/funding?k=[redacted]"],
  ["/api/v1/companies/trn%5fabcdefgh_123/x", "/api/v1/companies/[redacted]/x"],
  ["/feeds/trf_abcdefgh_123.atom", "/feeds/[redacted]"],
  ["/mcp?access_token=tro_abcdefgh_123", "/mcp?access_token=[redacted]"],
  [
    "/dashboard/oauth/token?code=trc_abcdefgh_1&refresh_token=trr_abcdefgh_1",
    "/dashboard/oauth/token?code=[redacted]&refresh_token=[redacted]",
  ],
  ["/ingest?set=a&token=tri_abcdefgh_123", "/ingest?set=a&token=[redacted]"],
])("the key in %s is not logged", (url, logged) => {
  expect(withoutKeys(url)).toBe(logged);
});

test.each(["/api/v1/funding?city=Z%C3%BCrich&investors=a%26b", "/api/v1/funding?k=%zz"])(
  "%s, which has no key, is logged as it is",
  (url) => {
    expect(withoutKeys(url)).toBe(url);
  },
);
