import { expect, test } from "vitest";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { ChangeLog } from "../cache/change-log.ts";
import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import { signalsParameters } from "@tranche/read-models/parameters/signals";
import { createUnknownItems } from "./unknown-items.ts";

const table = signalsParameters(dealTypes()) as ParameterTable;
const unknownItems = createUnknownItems(() => Promise.reject(new Error("searched")));
const generation = new ChangeLog().add("1", undefined);
const found = (count: number) => ({ count, generation });

test("where there are rows, lists of one item need no search of their own", async () => {
  const values = { city: ["Berlin"], category: ["software"] };
  expect(await unknownItems("companies", table, values, found(1))).toEqual([]);
});

test("where there are rows, excluded items are looked up nevertheless", async () => {
  const values = { city: ["Berlin", { not: "Paris" }] };
  await expect(unknownItems("companies", table, values, found(1))).rejects.toThrow("searched");
});

test("without rows, and for lists of several items, items are looked up", async () => {
  await expect(unknownItems("companies", table, { city: ["Berlin"] }, found(0))).rejects.toThrow("searched");
  await expect(unknownItems("companies", table, { city: ["Berlin", "Paris"] }, found(5))).rejects.toThrow("searched");
});
