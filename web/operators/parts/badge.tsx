export type Mood = "good" | "warning" | "danger" | "plain";

/** A short word about a state. The colour only repeats what the word says. */
export function Badge({ mood = "plain", children }: { mood?: Mood; children: string }) {
  return <span class={`badge ${mood}`}>{children}</span>;
}
