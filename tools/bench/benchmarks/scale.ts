import type { AcrossSizes } from "../benchmark.ts";
import type { Figure, Figures } from "../scale/figures.ts";
import { P99_ALONE, P99_BESIDE } from "../scale/writes.ts";
import { figuresAt } from "../scale/measure.ts";
import { table } from "../report/table.ts";

/** Any page of a list takes at most twice as long as its first one, or this. */
const DEEP_PAGE_MS = 20;
const START_SECONDS = 60;

/** What grows with the data, and by how much. */
export const scale: AcrossSizes = {
  name: "scale",
  about: "requests, writes, a rebuild, memory and disk at several sizes (--sizes), and the slope of each",
  alsoReadsOnly: true,
  async across(open, sizes, options) {
    const found: Figures[] = [];
    for (const size of sizes) {
      const environment = await open(size);
      try {
        const figures = await figuresAt(environment, options);
        found.push(figures);
        // The next size may take an hour, and end early.
        environment.log(ofOneSize(size, figures));
      } finally {
        await environment.close();
      }
    }
    const [smallest, largest] = [found[0]!, found.at(-1)!];
    const slopes = Object.entries(largest).map(([name, figure]): Slope => {
      const at = found.map((figures) => figures[name]!);
      const comparable = at.length > 1 && at.every(({ instead }) => !instead);
      return { name, figure, at, slope: comparable ? figure.value / smallest[name]!.value : undefined };
    });
    const goals = [...slopes.flatMap(heldGoals), ...deepGoals(largest), ...besideGoal(largest), startGoal(largest)];
    return {
      ratio: Math.max(
        1,
        ...slopes.flatMap(({ figure, slope }) =>
          slope !== undefined && "most" in (figure.bound ?? {}) ? [slope] : [],
        ),
      ),
      figures: { sizes, measured: found },
      table: {
        head: ["what", "unit", ...sizes.map((size) => size.toLocaleString("en")), "slope", "CPU of Elasticsearch, µs"],
        rows: slopes.map(({ name, figure, slope, at }) => [
          name,
          figure.unit,
          ...at.map(cell),
          slope?.toFixed(2) ?? "–",
          at.map(({ cpu_us }) => cpu_us ?? "").join("  "),
        ]),
      },
      goals,
    };
  },
};

/** A figure of the largest size, all of that name, and how many times that of the smallest size it is. */
type Slope = { name: string; figure: Figure; at: Figure[]; slope: number | undefined };

const shown = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
const cell = ({ value, instead }: Figure) => (instead ? `${instead} after ${shown(value)}` : Number(shown(value)));

const ofOneSize = (size: number, figures: Figures): string =>
  table(
    ["what", "unit", size.toLocaleString("en"), "CPU of Elasticsearch, µs"],
    Object.entries(figures).map(([name, figure]) => [name, figure.unit, cell(figure), figure.cpu_us ?? ""]),
  );

function heldGoals({ name, figure: { bound }, slope }: Slope) {
  if (!bound || slope === undefined) return [];
  const met = "most" in bound ? slope <= bound.most : slope >= bound.least;
  const text = "most" in bound ? `at most ${bound.most}` : `at least ${bound.least}`;
  return [{ goal: `${name}: ${text} × of the smallest size`, found: slope.toFixed(2), met }];
}

/** Pages far down, against the first page of their list. */
function deepGoals(figures: Figures) {
  return Object.entries(figures).flatMap(([name, { value }]) => {
    const list = /^(.*), (?!0 %)\d+ % down$/.exec(name)?.[1];
    if (list === undefined) return [];
    const first = figures[`${list}, 0 % down`]!.value;
    const met = value <= Math.max(2 * first, DEEP_PAGE_MS);
    return [{ goal: `${name}: at most 2 × the first page, or ${DEEP_PAGE_MS} ms`, found: `${value} ms`, met }];
  });
}

/** Reads beside a rebuild, against the same ones alone. */
function besideGoal({ [P99_ALONE]: alone, [P99_BESIDE]: beside }: Figures) {
  if (!alone || !beside) return [];
  const met = beside.value <= 2 * alone.value;
  return [{ goal: `${P99_BESIDE}: at most 2 × of alone`, found: (beside.value / alone.value).toFixed(2), met }];
}

function startGoal(figures: Figures) {
  const { value } = figures["API, start to first answer"]!;
  return {
    goal: `API, start to first answer: at most ${START_SECONDS} s`,
    found: value.toFixed(1),
    met: value <= START_SECONDS,
  };
}
