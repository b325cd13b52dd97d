import { describe, expect, test } from "vitest";
import { SIGNAL_KEYS } from "@tranche/shared/domain/signals/catalogue";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { type Kind, readKind } from "./kind.ts";
import type { ListItem } from "./list-item.ts";
import { technologies } from "./names.ts";
import { countries, dealTypeList, signalKeys } from "./vocabularies.ts";

const read = (kind: Kind<ListItem[]>, text: string) => readKind(kind, text);

describe("countries", () => {
  test("are understood by code and name in any case, and become alpha-2", () => {
    expect(read(countries(), "us,USA,United States,uk,Deutschland,DEU")).toMatchObject({
      complaints: [{ value: "Deutschland" }],
    });
    expect(read(countries(), "us,USA,United States,uk,gbr,Germany")).toEqual({ value: ["US", "GB", "DE"] });
  });

  test("that are unknown are reported, each with the nearest one", () => {
    expect(read(countries(), "Germny,Atlantis")).toEqual({
      complaints: [
        {
          code: "unknown_value",
          message: "Unknown country 'Germny'.",
          hint: "Did you mean Germany (DE)?",
          value: "Germny",
          suggestion: "DE",
        },
        { code: "unknown_value", message: "Unknown country 'Atlantis'.", value: "Atlantis" },
      ],
    });
  });

  test.each(["EU", "eu", "Europe", "Latin America"])(
    "that are a group of countries (%s) get no other country suggested",
    (text) => {
      expect(read(countries(), text)).toEqual({
        complaints: [
          {
            code: "unknown_value",
            message: `'${text}' is a group of countries, not a country. List its members, such as DE,FR,IT.`,
            value: text,
          },
        ],
      });
    },
  );

  test.each([
    ["Deutschland", "DE"],
    ["Brasil", "BR"],
    ["日本", "JP"],
  ])("named in another language (%s) get their code suggested", (text, suggestion) => {
    expect(read(countries(), text)).toMatchObject({ complaints: [{ suggestion }] });
  });

  test.each(["UX", "USQ", "ZZ"])("that look like a code (%s) get no other code suggested", (text) => {
    expect(read(countries(), text)).toEqual({
      complaints: [{ code: "unknown_value", message: `Unknown country '${text}'.`, value: text }],
    });
  });
});

describe("deal types", () => {
  const kind = dealTypeList(dealTypes({ types: ["royalty"], aliases: { revenue_share: "royalty" } }));

  test("are understood in any case, with blanks or hyphens, by alias, and by an operator's word", () => {
    expect(read(kind, "Series A,series-b,seed round,venture,Revenue Share")).toEqual({
      value: ["series_a", "series_b", "seed", "series_unknown", "royalty"],
    });
  });

  test("that are unknown are reported with the nearest word and the list", () => {
    expect(read(kind, "series_q")).toMatchObject({
      complaints: [
        {
          code: "unknown_value",
          suggestion: "series_a",
          allowed: expect.arrayContaining(["royalty", "other"]) as string[],
        },
      ],
    });
  });

  test("of signs only are not taken for undisclosed", () => {
    expect(read(kind, "??")).toMatchObject({ complaints: [{ code: "unknown_value", value: "??" }] });
  });
});

describe("signal keys", () => {
  test("are those of the catalogue, exactly", () => {
    expect(read(signalKeys(), "just_raised,hiring")).toEqual({ value: ["just_raised", "hiring"] });
    expect(read(signalKeys(), "toString")).toMatchObject({ complaints: [{ code: "unknown_value" }] });
  });

  test("that are misspelt are reported with the nearest key and the list", () => {
    const [complaint] = (read(signalKeys(), "just_rased") as { complaints: unknown[] }).complaints;
    expect(complaint).toEqual({
      code: "unknown_value",
      message: "Unknown signal key 'just_rased'.",
      hint: "Did you mean 'just_raised'?",
      value: "just_rased",
      suggestion: "just_raised",
      allowed: SIGNAL_KEYS,
    });
    expect(read(signalKeys(), "Just Raised")).toMatchObject({ complaints: [{ suggestion: "just_raised" }] });
  });
});

describe("technologies", () => {
  test("are one under all their names, and distinct where only punctuation differs", () => {
    expect(read(technologies(), "node,Node.js,nodejs")).toEqual({ value: ["node"] });
    expect(read(technologies(), "C,C++,C#,F#,.NET")).toEqual({ value: ["C", "C++", "C#", "F#", ".NET"] });
  });
});
