import { describe, expect, test } from "vitest";
import { clockOf, readSettings, SettingsError } from "./settings.ts";

describe("settings", () => {
  test("have defaults for everything", () => {
    expect(readSettings({})).toMatchObject({
      PORT: 3000,
      TRANCHE_NAMESPACE: "tranche",
      TRANCHE_OPERATOR_HOST: "127.0.0.1",
    });
  });

  test("that are wrong are all named at once, with what was expected", () => {
    const read = () => readSettings({ PORT: "http", TRANCHE_NOW: "yesterday", TRANCHE_NAMESPACE: "Über" });
    expect(read).toThrow(SettingsError);
    for (const part of [
      "PORT is 'http'",
      "TRANCHE_NOW is 'yesterday'",
      "2025-06-15T12:00:00Z",
      "TRANCHE_NAMESPACE is 'Über'",
    ]) {
      expect(read).toThrow(part);
    }
  });

  test("that are secret are never repeated in an error", () => {
    expect(() => readSettings({ ELASTICSEARCH_API_KEY: "s3cret", PORT: "-1" })).toThrow(/^(?!.*s3cret)/s);
  });

  test("take several addresses of Elasticsearch, of one scheme", () => {
    const read = (ELASTICSEARCH_URL: string) => readSettings({ ELASTICSEARCH_URL }).ELASTICSEARCH_URL;
    expect(read("http://a:9200, http://u:p@b:9200")).toBe("http://a:9200,http://u:p@b:9200");
    for (const wrong of ["http://a,", "a:9200", "redis://a", "http://a,b"])
      expect(() => read(wrong)).toThrow("separated by commas");
    expect(() => read("http://a,https://b")).toThrow("either http:// or https:// in all addresses");
  });

  test("an empty one counts as not given", () => {
    expect(readSettings({ PORT: "" }).PORT).toBe(3000);
  });

  test("a fixed clock does not move", () => {
    expect(clockOf({ TRANCHE_NOW: "2013-10-31T12:00:00Z" })()).toBe(Date.UTC(2013, 9, 31, 12));
  });
});
