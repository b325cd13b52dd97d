import { expect, test } from "vitest";
import { domainOf } from "./domain.ts";

test.each([
  "acme.com",
  "ACME.com",
  "www.acme.com",
  " acme.com ",
  "acme.com.",
  "http://acme.com",
  "https://www.acme.com/about?x=1#top",
  "https://someone@acme.com:8443/",
  "acme.com/about",
])("'%s' names the domain acme.com", (text) => expect(domainOf(text)).toBe("acme.com"));

test("a domain keeps its other labels", () => expect(domainOf("https://shop.acme.co.uk/")).toBe("shop.acme.co.uk"));

test.each(["acme", "acme labs", "St. Jude", ".com", "acme.", "a..b", "https://", "", "!!"])(
  "'%s' names no domain",
  (text) => expect(domainOf(text)).toBeNull(),
);

test("a text of 8 KiB takes linear time", () => {
  for (const text of [".", "a", "/", ":", "@", "a.", "1", ":1", "www."]) {
    const long = text.repeat(8192 / text.length);
    // The quickest of three: others may use the processor meanwhile.
    const times = [1, 2, 3].map(() => {
      const start = performance.now();
      domainOf(long);
      return performance.now() - start;
    });
    expect(Math.min(...times), text).toBeLessThan(5);
  }
});
