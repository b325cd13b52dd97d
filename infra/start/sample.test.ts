import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type HomeState, readHomeState, refuseHome, sampleStep, writeHomeState } from "./sample.ts";

test("a home remembers what was written", () => {
  const home = mkdtempSync(join(tmpdir(), "tranche-home-"));
  expect(readHomeState(home)).toBeUndefined();
  writeHomeState(home, { sample: true, stores: { local: "loading" } });
  expect(readHomeState(home)).toEqual({ sample: true, stores: { local: "loading" } });
  rmSync(home, { recursive: true });
});

describe("a home is either one with the sample or one without", () => {
  test("a new one may become either", () => {
    expect(refuseHome("/h", undefined, true)).toBeUndefined();
    expect(refuseHome("/h", undefined, false)).toBeUndefined();
  });
  test("one that was started before stays what it is", () => {
    expect(refuseHome("/h", { sample: true, stores: {} }, true)).toBeUndefined();
    expect(refuseHome("/h", { sample: true, stores: {} }, false)).toMatch(/^\/h holds the sample\. .*TRANCHE_HOME/);
    expect(refuseHome("/h", { sample: false, stores: {} }, true)).toMatch(
      /^\/h was started with --no-sample.*TRANCHE_HOME/,
    );
  });
});

const state = (how: "loading" | "loaded"): HomeState => ({ sample: true, stores: { local: how } });

describe("the sample is loaded", () => {
  test("into a store that does not have it", () => {
    expect(sampleStep(undefined, "local", 0, false)).toEqual({ step: "load" });
    expect(sampleStep(state("loaded"), "docker", 0, false)).toEqual({ step: "load" });
  });
  test("again when the load was interrupted, or the store has lost it", () => {
    expect(sampleStep(state("loading"), "local", 5_000, false)).toEqual({ step: "load" });
    expect(sampleStep(state("loaded"), "local", 0, false)).toEqual({ step: "load" });
  });
  test("once", () => {
    expect(sampleStep(state("loaded"), "local", 18_403, false)).toEqual({ step: "keep" });
  });
  test("never among the records of somebody else's Elasticsearch", () => {
    expect(sampleStep(undefined, "given-1", 7, true)).toMatchObject({
      step: "refuse",
      reason: expect.stringContaining("holds 7 companies"),
    });
    expect(sampleStep({ sample: true, stores: { "given-1": "loading" } }, "given-1", 7, true)).toEqual({
      step: "load",
    });
  });
});
