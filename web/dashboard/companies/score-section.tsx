import type { presentCompany } from "../../../apps/api/present/company.ts";
import { useLoad } from "../../ui/use-load.ts";
import { signalMeanings } from "../explore/form/suggestions.ts";
import { money } from "../format.ts";
import "./score-section.css";

type Signals = ReturnType<typeof presentCompany>["signals"];
type Signal = Signals[number];

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const points = (signal: Signal) =>
  `${signal.polarity === "negative" ? "−" : "+"}${Math.abs(signal.score.points).toFixed(1)}`;

/** The parts of a score: each live signal with its share, and the points that it adds or takes. The points sum to the score. */
export function ScoreSection({ score, signals }: { score: number; signals: Signals }) {
  const meanings = useLoad("signal-catalog", signalMeanings);
  if (signals.length === 0) {
    return (
      <section class="stack" aria-labelledby="score-name">
        <h2 id="score-name">Signals</h2>
        <p class="muted">No signal is live, so the score is 0.</p>
      </section>
    );
  }
  return (
    <section class="stack" aria-labelledby="score-name">
      <h2 id="score-name">Signals, and how they make the score {score}</h2>
      <div class="table-scroll" role="region" aria-label="Signals and their points" tabIndex={0}>
        <table class="score-table">
          <thead>
            <tr>
              <th scope="col">Signal</th>
              <th scope="col" class="number">
                Points
              </th>
              <th scope="col" class="number">
                Share
              </th>
              <th scope="col">Weight × strength × decay</th>
              <th scope="col">Because of</th>
              <th scope="col">Live</th>
            </tr>
          </thead>
          <tbody>
            {signals.map((signal) => (
              <Row key={signal.key} signal={signal} meaning={meanings.value?.get(signal.key)} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Score</th>
              <td class="number">
                <b>{score}</b>
              </td>
              <td colSpan={4} />
            </tr>
          </tfoot>
        </table>
      </div>
      <p class="muted score-note">
        Each positive signal fills its share of the gap to 100; each negative one takes its share of the result. So
        points depend on the signals before them: the strongest positive ones come first, negative ones last. Without a
        half-life a signal does not decay while it is true.
      </p>
    </section>
  );
}

function Row({ signal, meaning }: { signal: Signal; meaning: string | undefined }) {
  const { weight, strength, decay, share, age_days: age, half_life_days: halfLife } = signal.score;
  return (
    <tr>
      <th scope="row">
        {signal.label}
        <p class="score-meaning">{meaning ?? signal.key}</p>
      </th>
      <td class={`number ${signal.polarity}`}>
        <b>{points(signal)}</b>
        <span
          class="score-bar"
          style={{ width: `${Math.min(100, Math.abs(signal.score.points))}%` }}
          aria-hidden="true"
        />
      </td>
      <td class="number">{percent(share)}</td>
      <td>
        {weight} % × {strength.toFixed(2)} × {decay.toFixed(3)}
        <br />
        <span class="muted">
          {halfLife === null ? "no decay" : `${age} ${age === 1 ? "day" : "days"} old, half-life ${halfLife} days`}
        </span>
      </td>
      <td class="score-evidence">{evidenceOf(signal.evidence)}</td>
      <td>
        since {signal.detected_at}
        <br />
        <span class="muted">{signal.expires_at === null ? "while it is true" : `until ${signal.expires_at}`}</span>
      </td>
    </tr>
  );
}

/** The source of a signal, as it is in the records. */
function evidenceOf(evidence: Signal["evidence"]) {
  const entries = Object.entries(evidence ?? {}).filter(([, value]) => value !== null);
  if (entries.length === 0) return <span class="muted">a record</span>;
  return entries.map(([name, value]) => (
    <div key={name}>
      <span class="muted">{name.replace(/_usd$/, "").replaceAll("_", " ")}:</span> {shown(name, value)}
    </div>
  ));
}

function shown(name: string, value: unknown) {
  if (typeof value === "number" && name.endsWith("_usd")) return money(value);
  if (Array.isArray(value)) return value.map(String).join(", ");
  if (typeof value !== "string") return JSON.stringify(value);
  return /^https?:\/\//.test(value) ? (
    <a href={value} rel="noreferrer noopener" target="_blank">
      {value}
    </a>
  ) : (
    value
  );
}
