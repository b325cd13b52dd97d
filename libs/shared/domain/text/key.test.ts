import { describe, expect, test } from "vitest";
import { slugOf } from "../records/text.ts";
import { keyOf, writtenKey } from "./key.ts";

describe("the key of a name", () => {
  test.each([
    ["Société Générale", "societe-generale"],
    ["SOCIETE-GENERALE", "societe-generale"],
    ["Socie\u0301te\u0301 Ge\u0301ne\u0301rale", "societe-generale"],
    ["Ｓｏｃｉéｔé Ｇéｎéｒａｌｅ", "societe-generale"],
    ["O’Brien & Sons, Inc.", "obrien-sons-inc"],
    ["Straße", "strasse"],
    ["STRAẞE", "strasse"],
    ["北京资本", "北京资本"],
    ["हिन्दी निवेश", "हनद-नवश"],
    ["İstanbul Girişim", "istanbul-girisim"],
    ["  -- a16z -- ", "a16z"],
    ["½ & ²", "1-2-2"],
    ["ΣΊΣ", "σισ"],
    ["Σίς Φως", "σισ-φωσ"],
    ["!!", ""],
  ])("of %s is %s", (name, key) => {
    expect(keyOf(name)).toBe(key);
  });

  test("of a key is the key", () => {
    for (const name of ["Société Générale", "C++ Fund", "ΣΊΣ", "北京资本", "100% Ventures"]) {
      expect(keyOf(keyOf(name))).toBe(keyOf(name));
    }
  });
});

test("a slug keeps the final sigma", () => {
  expect(writtenKey("ΣΊΣ Φως")).toBe("σις-φως");
  expect(slugOf("ΣΊΣ", "inv")).toBe("σις");
});
