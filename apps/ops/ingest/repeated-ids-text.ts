import type { RepeatedIds } from "@tranche/intake/reading/repeated-ids";
import type { Origin } from "@tranche/shared/protocol/queue/enqueue";
import { shownNumber } from "@tranche/shared/domain/text/numbers";

/** `2 records have the id of an earlier record of this call; the last one counts: dur-1 (lines 2, 3, 4)`; undefined where none has. */
export function repeatedIdsText({ count, examples, among_first }: RepeatedIds): string | undefined {
  if (count === 0) return undefined;
  const [records, have] = count === 1 ? ["record", "has"] : ["records", "have"];
  const among = among_first === null ? "" : ` (looked for among the first ${shownNumber(among_first)} ids)`;
  const shown = examples.map(({ id, at }) => `${id} (${placesText(at)})`).join(", ");
  return `${shownNumber(count)} ${records} ${have} the id of an earlier record of this call; the last one counts${among}: ${shown}`;
}

/** `lines 2, 3, 4`, or with the files where there are several: `a.csv lines 2, 3, b.csv line 7`. */
function placesText(at: readonly Origin[]): string {
  const byFile = [...Map.groupBy(at, ({ file }) => file)];
  return byFile
    .map(([file, places]) => {
      const numbers = [...new Set(places.flatMap(({ lines, elements }) => (lines ?? elements ?? []).slice(0, 1)))];
      const noun = places[0]!.elements ? "element" : "line";
      const text = `${noun}${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")}`;
      return byFile.length > 1 ? `${file} ${text}` : text;
    })
    .join(", ");
}
