import { expect, test } from "vitest";
import { runModels } from "../support/protocol-models.ts";
import { hasPython } from "../support/python.ts";

test.skipIf(!hasPython("the models of the protocols"))(
  "the models of the write protocol and of the feed hold, searched whole, and break wherever a rule is left out",
  { timeout: 3_600_000 },
  async () => {
    expect(await runModels()).toMatch(/^1\d\d passed, 0 failed$/m);
  },
);
