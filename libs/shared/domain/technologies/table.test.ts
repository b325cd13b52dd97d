import { expect, test } from "vitest";
import { makeTable } from "./table.ts";

test("a name wins over an alias", () => {
  const { aliases, names } = makeTable([{ name: "Zofu", aliases: ["Zerraform"] }, { name: "Zerraform" }], []);
  expect(names).toMatchObject({ zofu: "Zofu", zerraform: "Zerraform" });
  expect(aliases).not.toHaveProperty("zerraform");
});

test("an alias that two technologies claim is nobody's", () => {
  const { aliases } = makeTable(
    [
      { name: "Zekyll", aliases: ["zestjs"] },
      { name: "Zest", aliases: ["zestjs"] },
    ],
    [],
  );
  expect(aliases).not.toHaveProperty("zestjs");
});

test("an alias of up to three letters counts only if it is our own", () => {
  const { aliases } = makeTable([{ name: "Zowershell", aliases: ["zps"] }], []);
  expect(aliases).not.toHaveProperty("zps");
  expect(aliases).toHaveProperty("k8s", "kubernetes");
});

test("an entry of the second list whose alias is a known name is that technology", () => {
  const { aliases, names } = makeTable([{ name: "Zravis CI" }], [{ name: "zravis", aliases: ["zravisci"] }]);
  expect(aliases).toHaveProperty("zravis", "zravis-ci");
  expect(names).not.toHaveProperty("zravis");
});

test("our own name is shown in place of a listed one", () => {
  const { names, aliases } = makeTable([{ name: "Apache Kafka" }], [{ name: "apachekafka" }]);
  expect(names).toHaveProperty("kafka", "Apache Kafka");
  expect(aliases).toHaveProperty("apachekafka", "kafka");
  expect(names).not.toHaveProperty("apache-kafka");
});
