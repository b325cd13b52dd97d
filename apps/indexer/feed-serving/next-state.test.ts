import type { FeedControl } from "@tranche/shared/protocol/feed/control";
import { expect, test } from "vitest";
import { nextState, type Served } from "./next-state.ts";

const indices = (name: string) => ({ funding: `funding-${name}`, companies: `companies-${name}` });
const [A, B, C] = [indices("a"), indices("b"), indices("c")] as const;
const fresh = { version: 9, epoch: "new" };
const served = (change: Partial<Served>): Served => ({
  live: A,
  previous: undefined,
  rebuild: undefined,
  ...change,
});
const state = (change: Partial<FeedControl> = {}): FeedControl => ({
  kind: "feed",
  version: 1,
  epoch: "old",
  served: A,
  copied: null,
  due: null,
  purged: { funding: 5, companies: 6 },
  ...change,
});
const rebuild = { indices: B, since: 4 };
const swapped = served({ live: B, previous: A, rebuild });

test("the first indices open the feed", () => {
  expect(nextState(undefined, served({}), fresh)).toMatchObject({ ...fresh, served: A, due: null });
});

test("nothing changes while readers search what is live", () => {
  expect(nextState(state(), served({ previous: B, rebuild }), fresh)).toBeUndefined();
  expect(nextState(state({ due: { other: B, since: 1, until: null } }), served({}), fresh)).toBeUndefined();
});

test("after a swap, changes since the copy began are due, and positions stay", () => {
  const after = nextState(state(), swapped, fresh);
  const due = { other: A, since: 4, until: null };
  expect(after).toEqual(state({ version: 9, served: B, copied: rebuild, due }));
});

test("after a rollback too, also when another rebuild was planned since", () => {
  const last = state({ served: B, copied: rebuild });
  const other = { indices: C, since: 8 };
  const due = { other: B, since: 4, until: null };
  expect(nextState(last, served({ previous: B, rebuild: other }), fresh)).toEqual({
    ...last,
    version: 9,
    served: A,
    due,
  });
});

test("after a rollback before the differences were published, the same ones are due again", () => {
  const last = state({ served: B, copied: rebuild, due: { other: A, since: 4, until: 7 } });
  expect(nextState(last, served({ previous: B, rebuild }), fresh)).toEqual({
    ...last,
    version: 9,
    served: A,
    due: { other: B, since: 4, until: null },
  });
});

test.each([
  ["nothing was kept to compare with", state(), served({ live: B, rebuild })],
  ["other indices were kept", state({ served: C }), swapped],
  ["it is not known when the copy began", state(), served({ live: B, previous: A })],
  ["an earlier difference was not published yet", state({ due: { other: C, since: 1, until: 2 } }), swapped],
])("positions end when %s", (_, last, now) => {
  expect(nextState(last, now, fresh)).toMatchObject({ ...fresh, served: B, due: null, purged: last.purged });
});
