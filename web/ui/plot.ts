import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { ChartData } from "./chart-data.ts";

const HEIGHT = 220;
const MAX_BAR = 48;
const WIDTH_OF_CHARACTER = 7;
/** Steps between labels of the x axis, in points. */
const STEPS = [1, 2, 3, 4, 6, 7, 12, 14, 21, 28, 30, 60, 90, 120, 180, 365, 730];
/** Steps between labels of the y axis where only whole numbers can be. */
const WHOLE_STEPS = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

type Plot = { destroy: () => void };

/** The point under the pointer, and its distance from the left in pixels. */
export type Hovered = { point: number; left: number };

/** Draws a chart into an element and keeps its size and colours up to date. `hover` gets the point under the pointer. */
export function drawPlot(element: HTMLElement, data: ChartData, hover: (hovered: Hovered | undefined) => void): Plot {
  const { points, series, kind, axisLabel, format } = data;
  const colour = (token: string) => () => colourOf(element, token);
  const stacked = kind === "bars";
  const drawn = stacked
    ? sumsFromTheTop(series)
    : series.map(({ values }) => points.map((_, at) => values[at] ?? null));
  // The tallest sums first, so that lower ones are drawn over them.
  const order = stacked ? series.toReversed() : series;
  const wholeSteps = series.every(({ values }) => values.every(Number.isInteger)) ? { incrs: WHOLE_STEPS } : {};
  const axis = { stroke: colour("--muted"), font: "12px system-ui, sans-serif" };

  const plot = new uPlot(
    {
      width: Math.max(element.clientWidth, 1),
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: !stacked } },
      scales: {
        x: { time: false, range: [-0.5, points.length - 0.5] },
        y: { range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          ticks: { show: false },
          size: 26,
          space: 20 + WIDTH_OF_CHARACTER * Math.max(...points.map((point) => axisLabel(point).length)),
          incrs: STEPS,
          values: (_, splits) => splits.map((at) => (points[at] === undefined ? "" : axisLabel(points[at]))),
        },
        {
          ...axis,
          ...wholeSteps,
          grid: { stroke: colour("--border"), width: 1 },
          ticks: { show: false },
          values: (_, splits) => splits.map((at) => format(at)),
          size: (_, values) => 14 + WIDTH_OF_CHARACTER * Math.max(1, ...(values ?? []).map((text) => text.length)),
        },
      ],
      series: [
        {},
        ...order.map((each) =>
          stacked
            ? {
                fill: colour(each.colour),
                width: 0,
                points: { show: false },
                paths: uPlot.paths.bars!({ size: [0.8, MAX_BAR] }),
              }
            : { stroke: colour(each.colour), width: 2, points: { show: each.values.length === 1 } },
        ),
      ],
      hooks: {
        setCursor: [
          (self) => {
            const { idx } = self.cursor;
            const isOver = typeof idx === "number";
            hover(isOver ? { point: idx, left: self.over.offsetLeft + self.valToPos(idx, "x") } : undefined);
          },
        ],
      },
    },
    [points.map((_, at) => at), ...drawn],
    element,
  );

  const resized = new ResizeObserver(() => {
    if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height: HEIGHT });
  });
  resized.observe(element);
  const redraw = () => plot.redraw(false);
  const themed = new MutationObserver(redraw);
  themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", redraw);
  return {
    destroy() {
      resized.disconnect();
      themed.disconnect();
      system.removeEventListener("change", redraw);
      plot.destroy();
    },
  };
}

/** For each series the sum of it and those before it, the last series first. */
function sumsFromTheTop(series: ChartData["series"]): number[][] {
  const sums: number[][] = [];
  for (const { values } of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, at) => value + (below?.[at] ?? 0)));
  }
  return sums.toReversed();
}

/** A colour token as a canvas takes it. */
function colourOf(element: HTMLElement, token: string): string {
  const probe = element.appendChild(document.createElement("span"));
  probe.style.color = `var(${token})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
