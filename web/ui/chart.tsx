import { useEffect, useRef, useState } from "preact/hooks";
import "./chart.css";
import type { ChartData, SeriesColour } from "./chart-data.ts";
import type { Hovered } from "./plot.ts";

type ChartProps = Partial<Pick<ChartData, "kind" | "label" | "axisLabel" | "format">> &
  Pick<ChartData, "points" | "series"> & {
    title: string;
    /** Head of the table's first column: "Day". */
    pointName: string;
    /** Shows the table's rows from the last point to the first. */
    newestFirst?: boolean;
  };

const numbers = new Intl.NumberFormat("en");

/** A chart with a legend, and the same figures in a table. The library that draws it is loaded when the first chart is shown. */
export function Chart({
  title,
  points,
  series,
  pointName,
  kind = "bars",
  label = (point) => point,
  axisLabel = label,
  format = (value) => numbers.format(value),
  newestFirst = false,
}: ChartProps) {
  const canvas = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<Hovered>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    let plot: { destroy: () => void } | undefined;
    setFailed(false);
    setHovered(undefined);
    import("./plot.ts").then(
      ({ drawPlot }) => {
        if (!gone) plot = drawPlot(canvas.current!, { points, series, kind, label, axisLabel, format }, setHovered);
      },
      () => setFailed(true),
    );
    return () => {
      gone = true;
      plot?.destroy();
    };
    // Callers build these arrays at each render, so they are compared by content.
  }, [kind, JSON.stringify([points, series])]);

  const rows = points.map((point, row) => ({ point, row }));
  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <h3>{title}</h3>
        <ul class="legend" aria-hidden="true">
          {series.map(({ name, colour }, nth) => (
            <li key={nth}>
              <Swatch colour={colour} /> {name}
            </li>
          ))}
        </ul>
      </figcaption>
      {failed && <p class="muted">The chart could not be loaded. The table has the same figures.</p>}
      <div class="chart-area" aria-hidden="true" hidden={failed}>
        <div ref={canvas} class="chart-canvas" />
        {hovered && hovered.point < points.length && (
          <Tip {...hovered} width={canvas.current!.clientWidth} {...{ points, series, label, format }} />
        )}
      </div>
      <details>
        <summary>{title} as a table</summary>
        <div class="table-scroll chart-table" role="region" aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{pointName}</th>
                {series.map(({ name }, nth) => (
                  <th key={nth} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {(newestFirst ? rows.toReversed() : rows).map(({ point, row }) => (
                <tr key={point}>
                  <th scope="row">{label(point)}</th>
                  {series.map(({ values }, nth) => (
                    <td key={nth} class="number">
                      {shownValue(values[row], format)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** The figures of the point under the pointer, on the side of it that has more room. */
function Tip({
  point,
  left,
  width,
  points,
  series,
  label,
  format,
}: Hovered & { width: number } & Pick<ChartData, "points" | "series" | "label" | "format">) {
  return (
    <div class="chart-tip" style={left < width / 2 ? { left: `${left + 12}px` } : { right: `${width - left + 12}px` }}>
      <b>{label(points[point]!)}</b>
      {series.map(({ name, colour, values }, nth) => (
        <p key={nth}>
          <Swatch colour={colour} /> <span>{name}</span> <b>{shownValue(values[point], format)}</b>
        </p>
      ))}
    </div>
  );
}

/** A series that has ended has no figure. */
const shownValue = (value: number | undefined, format: ChartData["format"]) =>
  value === undefined ? "–" : format(value);

function Swatch({ colour }: { colour: SeriesColour }) {
  return <span class="swatch" style={{ background: `var(${colour})` }} />;
}
