import { expect, test } from "vitest";
import { linkHeader } from "./link.ts";

const rels = (header: string) =>
  Object.fromEntries([...header.matchAll(/<([^<>]*)>; rel="(\w+)"/g)].map(([, target, rel]) => [rel, target]));
const link = (limit: number, offset: number, count: number, withLimit = true) => {
  const next = offset + limit < count ? "AbC" : undefined;
  return rels(linkHeader("/api/v1/funding", "country=US", { limit, offset }, withLimit, { count, next }));
};

test("a page in the middle has all three links", () => {
  expect(link(10, 20, 45)).toEqual({
    first: "/api/v1/funding?country=US&limit=10",
    prev: "/api/v1/funding?country=US&limit=10&offset=10",
    next: "/api/v1/funding?country=US&limit=10&offset=30",
  });
});

test("the first page has no prev, the last no next", () => {
  expect(Object.keys(link(10, 0, 45))).toEqual(["first", "next"]);
  expect(Object.keys(link(10, 40, 45))).toEqual(["first", "prev"]);
  expect(Object.keys(link(10, 35, 45))).toEqual(["first", "prev"]);
  expect(Object.keys(link(10, 0, 10))).toEqual(["first"]);
});

test("behind the end, prev is the last page", () => {
  expect(link(10, 1000, 45).prev).toBe("/api/v1/funding?country=US&limit=10&offset=35");
  expect(link(10, 1000, 0).prev).toBe("/api/v1/funding?country=US&limit=10");
});

test("a header that would be too long keeps only next, which leads to the next page", () => {
  const query = `companies=${"x".repeat(3000)}`;
  const header = linkHeader("/x", query, { limit: 10, offset: 20 }, true, { count: 45, next: "AbC" });
  expect(rels(header)).toEqual({ next: `/x?${query}&limit=10&offset=30` });
});

test("a limit that was not sent is not written", () => {
  expect(link(10, 0, 45, false)).toEqual({
    first: "/api/v1/funding?country=US",
    next: "/api/v1/funding?country=US&offset=10",
  });
  expect(rels(linkHeader("/x", "", { limit: 10, offset: 0 }, false, { count: 0, next: undefined }))).toEqual({
    first: "/x",
  });
});

test("after a cursor, next has a cursor and there is no prev", () => {
  const page = { limit: 10, offset: 0, after: { value: 5, id: "a" } };
  const links = (next: string | undefined) => rels(linkHeader("/x", "country=US", page, true, { count: 45, next }));
  expect(links("AbC")).toEqual({ first: "/x?country=US&limit=10", next: "/x?country=US&limit=10&cursor=AbC" });
  expect(links(undefined)).toEqual({ first: "/x?country=US&limit=10" });
});
