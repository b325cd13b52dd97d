import type { ComponentChildren } from "preact";
import "./facts.css";

/** Facts by name. Unknown ones are left out. */
export function Facts({ facts }: { facts: Readonly<Record<string, ComponentChildren>> }) {
  const known = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return (
    <dl class="profile-facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
