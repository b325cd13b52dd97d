import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type HomeState,
  readHomeState,
  refuseHome,
  sampleFiles,
  SHOWCASE_FILE,
  sampleStep,
  writeHomeState,
} from "./sample.ts";

const FILES = sampleFiles("showcase");
const REAL = sampleFiles("real");

test("a home remembers what was written", () => {
  const home = mkdtempSync(join(tmpdir(), "tranche-home-"));
  expect(readHomeState(home)).toBeUndefined();
  writeHomeState(home, { sample: true, stores: { local: REAL } });
  expect(readHomeState(home)).toEqual({ format: 1, sample: true, stores: { local: REAL } });
  rmSync(home, { recursive: true });
});

test("a home without a format, or with a later one, is refused", () => {
  const { format: _, ...before } = { format: 1, sample: true, stores: {} };
  expect(refuseHome("/h", before as unknown as HomeState, "real")).toMatch(
    /^\/h is of a commit before .* ops -- export/,
  );
  expect(refuseHome("/h", { ...before, format: 2 }, "real")).toMatch(/^\/h has format 2/);
});

describe("a home has the sample or it has not", () => {
  const holding = (files: string[]): HomeState => ({ format: 1, sample: true, stores: { local: files } });
  test("a new one takes any choice", () => {
    expect(refuseHome("/h", undefined, "showcase")).toBeUndefined();
    expect(refuseHome("/h", undefined, "real")).toBeUndefined();
    expect(refuseHome("/h", undefined, "none")).toBeUndefined();
  });
  test("one that was started before stays what it is", () => {
    expect(refuseHome("/h", holding([]), "showcase")).toBeUndefined();
    expect(refuseHome("/h", holding([]), "none")).toMatch(/^\/h holds the sample\. .*TRANCHE_HOME/);
    expect(refuseHome("/h", { format: 1, sample: false, stores: {} }, "real")).toMatch(
      /^\/h was started with --no-sample.*TRANCHE_HOME/,
    );
  });
  test("the showcase can come later, and does not go again", () => {
    expect(refuseHome("/h", holding(REAL), "showcase")).toBeUndefined();
    expect(refuseHome("/h", holding(FILES), "real")).toMatch(/^\/h holds the showcase\. .*TRANCHE_HOME/);
  });
});

const state = (files: string[]): HomeState => ({ format: 1, sample: true, stores: { local: files } });

describe("the sample is loaded", () => {
  test("into a store that does not have it", () => {
    expect(sampleStep(FILES, undefined, "local", 0, false)).toEqual({ step: "load", files: FILES, loaded: [] });
    expect(sampleStep(FILES, state(FILES), "docker", 0, false)).toEqual({ step: "load", files: FILES, loaded: [] });
  });
  test("again when the load was interrupted, or the store has lost it", () => {
    expect(sampleStep(FILES, state([]), "local", 5_000, false)).toEqual({ step: "load", files: FILES, loaded: [] });
    expect(sampleStep(FILES, state(FILES), "local", 0, false)).toEqual({ step: "load", files: FILES, loaded: [] });
  });
  test("once", () => {
    expect(sampleStep(FILES, state(FILES), "local", 19_910, false)).toEqual({ step: "keep" });
  });
  test("with the files that a newer version adds", () => {
    expect(sampleStep(FILES, state(REAL), "local", 19_610, false)).toEqual({
      step: "load",
      files: [SHOWCASE_FILE],
      loaded: REAL,
    });
  });
  test("never among the records of somebody else's Elasticsearch", () => {
    expect(sampleStep(FILES, undefined, "given-1", 7, true)).toMatchObject({
      step: "refuse",
      reason: expect.stringContaining("holds 7 companies"),
    });
    expect(sampleStep(FILES, { format: 1, sample: true, stores: { "given-1": [] } }, "given-1", 7, true)).toEqual({
      step: "load",
      files: FILES,
      loaded: [],
    });
  });
});
