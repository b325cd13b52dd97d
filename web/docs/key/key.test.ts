import { expect, test } from "vitest";
import { snippetsOf } from "../../ui/snippets.ts";
import { withKey } from "./key.ts";

test("a key takes the place of its variable in every language", () => {
  for (const { code } of snippetsOf("http://127.0.0.1:3000/api/v1/funding?limit=1")) {
    const own = withKey(code, "trn_mine");
    expect(own).toContain("Bearer trn_mine");
    expect(own).not.toMatch(/KEY|environ\[/);
  }
  expect(withKey("export KEY=trn_…", "trn_mine")).toBe("export KEY=trn_mine");
});

test("without a key the code stays as it is, and a key with special characters is taken literally", () => {
  expect(withKey("curl $KEY $KEYS", "")).toBe("curl $KEY $KEYS");
  expect(withKey("curl $KEY $KEYS", "a$&b")).toBe("curl a$&b $KEYS");
});
