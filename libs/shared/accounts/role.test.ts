import { expect, test } from "vitest";
import { lowest, mayDo, roleOf, ROLES } from "./role.ts";

test("a role may do what those before it may", () => {
  expect(ROLES.map((role) => ROLES.map((needed) => mayDo(role, needed)))).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});

test("together, people may do what all of them may", () => {
  expect(lowest(["admin", "developer"])).toBe("developer");
  expect(lowest(["admin", "viewer", "admin"])).toBe("viewer");
  expect(lowest(["admin"])).toBe("admin");
  expect(lowest([])).toBe("viewer");
});

test("everybody is an admin until an account has roles, and a viewer without one from then on", () => {
  expect(roleOf(undefined, "ada@example.com")).toBe("admin");
  expect(roleOf({ "ada@example.com": "developer" }, "ada@example.com")).toBe("developer");
  expect(roleOf({ "ada@example.com": "developer" }, "bob@example.com")).toBe("viewer");
  expect(roleOf({}, "constructor")).toBe("viewer");
});
