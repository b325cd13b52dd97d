import type { presentCompany } from "../../../apps/api/present/company.ts";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import type { FundingRow } from "../explore/api-rows.ts";
import { signalMeanings } from "../explore/filters/suggestions.ts";
import { reasonOf } from "./reasons.ts";
import "./signals.css";

type Signals = ReturnType<typeof presentCompany>["signals"];
type Signal = Signals[number];

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const points = ({ polarity, score }: Signal) => {
  const size = Math.abs(score.points).toFixed(1);
  return size === "0.0" ? "0" : `${polarity === "negative" ? "−" : "+"}${size}`;
};

/** The live signals of a company with their reasons, and, for those who ask, the arithmetic that makes the score of them. */
export function Signals({
  score,
  signals,
  rounds,
}: {
  score: number;
  signals: Signals;
  rounds: readonly FundingRow[];
}) {
  const meanings = useLoad("signal-catalog", signalMeanings);
  return (
    <section class="stack" aria-labelledby="signals-name">
      <h2 id="signals-name">Signals ({signals.length})</h2>
      {signals.length === 0 ? (
        <p class="muted">No signal is live, so the score is 0.</p>
      ) : (
        <>
          <ul class="signals">
            {signals.map((signal) => (
              <li key={signal.key}>
                <div class="anywhere">
                  <h3>{signal.label}</h3>
                  <p>
                    <ReasonText signal={signal} rounds={rounds} />
                  </p>
                  {meanings.value?.has(signal.key) && <p class="muted">{meanings.value.get(signal.key)}</p>}
                </div>
                <p class="signal-days muted">
                  since <When time={signal.detected_at} as="day" />
                  <br />
                  {signal.expires_at === null ? (
                    "while it is true"
                  ) : (
                    <>
                      until <When time={signal.expires_at} as="day" />
                    </>
                  )}
                </p>
                <p class={`signal-points ${signal.polarity}`}>
                  <b>{points(signal)}</b> <span class="muted">points</span>
                </p>
              </li>
            ))}
          </ul>
          <details>
            <summary>How these make the score {score}</summary>
            <Arithmetic score={score} signals={signals} />
          </details>
        </>
      )}
    </section>
  );
}

function ReasonText({ signal, rounds }: { signal: Signal; rounds: readonly FundingRow[] }) {
  const { text, round, source } = reasonOf(signal.evidence, signal.detected_at, rounds);
  if (round !== undefined) return <a href={`#${round}`}>{text}</a>;
  if (source === undefined) return <>{text}</>;
  return (
    <a href={source} target="_blank" rel="noreferrer noopener">
      {text}
      <span class="visually-hidden">, opens a new tab</span>
    </a>
  );
}

function Arithmetic({ score, signals }: { score: number; signals: Signals }) {
  return (
    <div class="stack">
      <p class="muted measure">
        Each positive signal fills its share of the gap to 100; each negative one takes its share of the result. So
        points depend on the signals before them: the strongest positive ones come first, negative ones last. Without a
        half-life a signal does not decay while it is true.
      </p>
      <div class="table-scroll" role="region" aria-label="Signals and their points" tabIndex={0}>
        <table class="score-table">
          <thead>
            <tr>
              <th scope="col">Signal</th>
              <th scope="col">Weight × strength × decay</th>
              <th scope="col" class="number">
                Share
              </th>
              <th scope="col" class="number">
                Points
              </th>
            </tr>
          </thead>
          <tbody>
            {signals.map((signal) => {
              const { weight, strength, decay, share, age_days: age, half_life_days: halfLife } = signal.score;
              return (
                <tr key={signal.key}>
                  <th scope="row">{signal.label}</th>
                  <td>
                    {weight} % × {strength.toFixed(2)} × {decay.toFixed(3)}
                    <br />
                    <span class="muted">
                      {halfLife === null
                        ? "no decay"
                        : `${age} ${age === 1 ? "day" : "days"} old, half-life ${halfLife} days`}
                    </span>
                  </td>
                  <td class="number">{percent(share)}</td>
                  <td class={`number ${signal.polarity}`}>{points(signal)}</td>
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Score</th>
              <td colSpan={2} />
              <td class="number">
                <b>{score}</b>
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    </div>
  );
}
