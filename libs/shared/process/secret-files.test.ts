import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { environmentWithSecrets, readSettings } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "tranche-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("secrets from files", () => {
  test("are read without the newline at the end", () => {
    const settings = readSettings({
      ELASTICSEARCH_API_KEY_FILE: file("key", "s3cret \n"),
      REDIS_URL_FILE: file("redis", "redis://:pass@redis:6379\r\n"),
      TRANCHE_OPERATOR_TOKEN_FILE: file("token", "t0ken"),
    });
    expect(settings).toMatchObject({
      ELASTICSEARCH_API_KEY: "s3cret ",
      REDIS_URL: "redis://:pass@redis:6379",
      TRANCHE_OPERATOR_TOKEN: "t0ken",
    });
  });

  test("every problem is reported at once, with the variable, the file and what was expected", () => {
    const read = () =>
      readSettings({
        ELASTICSEARCH_API_KEY: "given",
        ELASTICSEARCH_API_KEY_FILE: file("other-key", "also given"),
        REDIS_URL_FILE: join(folder, "missing"),
        TRANCHE_OPERATOR_TOKEN_FILE: file("empty", "\n"),
        TRANCHE_SMTP_URL_FILE: file("two-lines", "smtp://mail\nsmtp://mail\n"),
        ELASTICSEARCH_URL_FILE: folder,
        PORT: "http",
      });
    for (const part of [
      "ELASTICSEARCH_API_KEY and ELASTICSEARCH_API_KEY_FILE are both set. Remove one of them.",
      `REDIS_URL_FILE ${join(folder, "missing")}: there is no such file. Expected a file with the value of REDIS_URL on one line.`,
      `TRANCHE_OPERATOR_TOKEN_FILE ${join(folder, "empty")}: the file is empty.`,
      `TRANCHE_SMTP_URL_FILE ${join(folder, "two-lines")}: the file has more than one line.`,
      `ELASTICSEARCH_URL_FILE ${folder}: it is a folder.`,
      "PORT is 'http'",
    ]) {
      expect(read).toThrow(part);
    }
  });

  test("a wrong value from a file is not shown in the error", () => {
    const read = () => readSettings({ REDIS_URL_FILE: file("wrong", "p4ssword") });
    expect(read).toThrow(/^REDIS_URL: expected an address such as/);
    expect(read).toThrow(/^(?!.*p4ssword)/s);
  });

  test("an empty variable counts as not given, and a setting that is not a secret has no file", () => {
    expect(readSettings({ REDIS_URL_FILE: "", PORT_FILE: join(folder, "missing") }).PORT).toBe(3000);
  });

  test("processes that are started with the environment get the values and not the files", () => {
    const passedOn = environmentWithSecrets({ PATH: "/bin", REDIS_URL_FILE: file("passed-on", "redis://a\n") });
    expect(passedOn).toEqual({ PATH: "/bin", REDIS_URL: "redis://a" });
  });
});
