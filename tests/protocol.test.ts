import { expect, test } from "vitest";
import { runModels } from "./support/protocol-models.ts";
import { hasPython } from "./support/python.ts";

test.skipIf(!hasPython("the models of the protocols"))(
  "the models of the write protocol and of the feed hold as far as they are searched, and break where a rule is left out",
  async () => {
    // Safe scenarios are searched breadth first up to this number of states. The drill `protocol` searches them whole, and the long ones, too.
    const printed = await runModels("--limit", "1500", "--runs", "100", "--no-long");
    expect(printed).toMatch(/^1\d\d passed, 0 failed$/m);
  },
);
