import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findJava, javaMajor } from "./java.ts";

describe("the version that java prints", () => {
  test.each([
    ['openjdk version "25.0.3" 2026-04-21 LTS\nOpenJDK Runtime Environment', 25],
    ['openjdk version "17.0.15" 2025-04-15', 17],
    ['openjdk version "21" 2023-09-19', 21],
    ['openjdk version "26-ea" 2026-03-17', 26],
    ['java version "1.8.0_402"', 8],
  ])("%s is %i", (printed, major) => {
    expect(javaMajor(printed)).toBe(major);
  });

  test("anything else is not a version", () => {
    expect(javaMajor("The operation couldn't be completed. Unable to locate a Java Runtime.")).toBeUndefined();
    expect(javaMajor("")).toBeUndefined();
  });
});

describe("the search for a Java", () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "tranche-java-")));
    // Root's engines run as another user, who has to be able to enter it.
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function fakeJava(name: string, version: string): string {
    const home = join(folder, name);
    mkdirSync(join(home, "bin"), { recursive: true });
    writeFileSync(join(home, "bin/java"), `#!/bin/sh\necho 'openjdk version "${version}"' >&2\n`, { mode: 0o755 });
    return home;
  }

  test("ES_JAVA_HOME goes before JAVA_HOME, and JAVA_HOME before PATH", async () => {
    const [first, second, third] = [fakeJava("a", "24.0.1"), fakeJava("b", "23.0.1"), fakeJava("c", "22.0.1")];
    const path = join(third, "bin");
    expect((await findJava({ ES_JAVA_HOME: first, JAVA_HOME: second, PATH: path })).java).toEqual({
      home: first,
      major: 24,
    });
    expect((await findJava({ JAVA_HOME: second, PATH: path })).java).toEqual({ home: second, major: 23 });
    expect((await findJava({ PATH: path })).java).toEqual({ home: third, major: 22 });
  });

  test("one that is too old is skipped, and reported", async () => {
    const [old, good] = [fakeJava("old", "17.0.2"), fakeJava("good", "21.0.2")];
    const { java, tried } = await findJava({ ES_JAVA_HOME: old, JAVA_HOME: good });
    expect(java).toEqual({ home: good, major: 21 });
    expect(tried).toEqual([
      { home: old, major: 17 },
      { home: good, major: 21 },
    ]);
  });
});
