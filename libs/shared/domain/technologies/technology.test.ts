import { describe, expect, test } from "vitest";
import { AI } from "./ai.ts";
import { NAMES, NOT_ALIASES, TECHNOLOGIES } from "./aliases.ts";
import { MODERN } from "./modern.ts";
import table from "./table.json" with { type: "json" };
import { isAi, technologyGroup, technologyKey, technologyName, usualStack } from "./technology.ts";

describe("names of one technology have one key", () => {
  test.each([
    ["nodejs", ["node", "Node", "nodejs", "NodeJS", "Node.js", "node-js", "Node JS", " node.js "]],
    ["postgresql", ["postgres", "Postgres", "PostgreSQL", "postgre-sql", "PostgreSql"]],
    ["go", ["Go", "golang", "GoLang", "Go Lang"]],
    ["react", ["React", "React.js", "ReactJS", "React JS"]],
    ["vue", ["Vue", "Vue.js", "VueJS", "vuejs"]],
    ["rails", ["Ruby on Rails", "ruby-on-rails", "Rails", "RoR"]],
    ["aws", ["AWS", "Amazon Web Services", "amazonwebservices"]],
    ["google-cloud", ["GCP", "Google Cloud", "Google Cloud Platform"]],
    ["kubernetes", ["Kubernetes", "k8s", "K8s"]],
    ["javascript", ["JavaScript", "Javascript", "JS"]],
    ["dotnet", [".NET", ".Net", "dotnet", "NET", "dot net"]],
    ["machine-learning", ["ml", "ML", "Machine Learning"]],
    ["travis-ci", ["travis", "Travis CI", "travisci"]],
    ["next-js", ["Next.js", "NextJS", "Next JS", "nextjs"]],
    ["kafka", ["Kafka", "Apache Kafka"]],
    ["sql-server", ["SQL Server", "sql-server", "MSSQL", "Microsoft SQL Server"]],
  ])("%s", (key, names) => {
    expect(names.map(technologyKey)).toEqual(names.map(() => key));
  });
});

describe("technologies that differ stay apart", () => {
  test("those that differ by signs", () => {
    const keys = ["C", "C++", "C#", "F#", ".NET", "ASP.NET", ".NET Core", "PL/SQL", "SQL", "R", "D", "Q#"].map(
      technologyKey,
    );
    expect(keys).toEqual([
      "c",
      "cplusplus",
      "csharp",
      "fsharp",
      "dotnet",
      "asp-net",
      "dotnet-core",
      "pl-sql",
      "sql",
      "r",
      "d",
      "qsharp",
    ]);
  });

  test("those that a list calls aliases", () => {
    expect(technologyKey("React Native")).toBe("react-native");
    expect(technologyKey("react-native")).not.toBe(technologyKey("React"));
    expect(technologyKey("Terraform")).toBe("terraform");
    expect(technologyKey("OpenTofu")).toBe("opentofu");
    expect(technologyKey("RxJS")).toBe("rxjs");
    expect(technologyKey("JavaScript")).not.toBe(technologyKey("Java"));
    expect(technologyKey("AngularJS")).not.toBe(technologyKey("Angular"));
  });

  test("versions, parts and phrases are not the technology", () => {
    for (const name of [
      "Java 8",
      "Docker Compose",
      "Python 3",
      "PHP Backend",
      "Redis and MongoDB",
      "C/C++",
      "Scala.js",
    ]) {
      expect(technologyName(technologyKey(name)), name).toBeUndefined();
    }
  });

  test("every technology of the table keeps its own key, by name and by key", () => {
    const lost = Object.entries(table.names).filter(
      ([key, name]) => technologyKey(name) !== key || technologyKey(key) !== key,
    );
    expect(lost).toEqual([]);
  });

  test("plain names are their own keys", () => {
    const plain =
      "python docker kubernetes mysql redis java php scala rust terraform csharp cplusplus cobol fortran perl";
    expect(plain.split(" ").map(technologyKey)).toEqual(plain.split(" "));
  });
});

test("an unknown name has the key of the name, with signs written out", () => {
  expect(technologyKey("Our Own Thing")).toBe("our-own-thing");
  expect(technologyKey("Zonk++")).toBe("zonkplusplus");
  expect(technologyName("our-own-thing")).toBeUndefined();
});

test("a stack has each technology once, by its usual name", () => {
  const written = ["node", "Zonk++", "Postgres", "NodeJS", "zonk++", "C", "C++", "!!", "++", "!!"];
  expect(usualStack(written)).toEqual(["Node.js", "Zonk++", "PostgreSQL", "C", "C++", "!!", "++"]);
});

test("a name of signs only has the empty key", () => {
  expect(["!!", "#", "++", ".", ""].map(technologyKey)).toEqual(["", "", "", "", ""]);
});

test("the table is not older than our own technologies", () => {
  for (const [key, [name, ...aliases]] of Object.entries(TECHNOLOGIES)) {
    expect(technologyName(key)).toBe(name);
    expect([key, name, ...aliases].filter((alias) => technologyKey(alias) !== key)).toEqual([]);
  }
  const shown = new Set<string>(Object.values(table.names));
  expect(NAMES.filter((name) => !shown.has(name))).toEqual([]);
  const own = new Set<string>(Object.values(TECHNOLOGIES).flatMap(([, ...aliases]) => aliases));
  expect(Object.keys(table.aliases).filter((alias) => NOT_ALIASES.has(alias) && !own.has(alias))).toEqual([]);
});

test("modern and AI technologies are in the table, by their own keys, and in one group each", () => {
  const modern = Object.values(MODERN).flat();
  expect([...modern, ...AI].filter((key) => technologyName(key) === undefined)).toEqual([]);
  expect(new Set(modern).size).toBe(modern.length);
  expect(new Set(AI).size).toBe(AI.length);
});

test("groups and tags", () => {
  expect(technologyGroup("typescript")).toBe("languages");
  expect(technologyGroup("react")).toBe("frameworks");
  expect(technologyGroup("postgresql")).toBe("data");
  expect(technologyGroup("kubernetes")).toBe("infrastructure");
  expect(technologyGroup("opentelemetry")).toBe("observability");
  for (const key of ["cobol", "fortran", "perl", "jquery", "java", "php"]) expect(technologyGroup(key)).toBeUndefined();
  expect(["ml", "PyTorch", "OpenAI", "AI"].map((name) => isAi(technologyKey(name)))).toEqual([true, true, true, true]);
  expect(["Python", "pandas", "React"].some((name) => isAi(technologyKey(name)))).toBe(false);
});
