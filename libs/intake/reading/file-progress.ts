import type { SourceLocation } from "../sources/item.ts";

/** A file that is not wholly in the queue; `after`: where it has to be read on, if its beginning is. */
export type Unfinished = { file: string; after?: SourceLocation };

export type FileProgress = ReturnType<typeof createFileProgress>;

const MAX_NAMED = 20;

/**
 * Notes how far an ingest has come, so that whatever ends it, people know which files to ingest again. They know the files by the names
 * that they gave; the run has them without folders.
 */
export function createFileProgress(
  inputs: readonly { file: string; name: string }[],
  counts: () => { added: number; enqueued: number },
) {
  /** Records that had been added when each file had been read. */
  const ends: number[] = [];
  let last: SourceLocation | undefined;
  let lastRead: { file: string; location: SourceLocation } | undefined;

  return {
    /** Everything up to here in the file is added or refused. */
    at: (location: SourceLocation) => {
      last = location;
      lastRead = { file: inputs[ends.length]?.file ?? "", location };
    },
    /** The last place that was read. */
    last: (): { file: string; location: SourceLocation } | undefined => lastRead,
    /** The file is read to its end, or as far as it can be. */
    fileRead: () => {
      ends.push(counts().added);
      last = undefined;
    },
    unfinished: (): Unfinished[] => {
      const { added, enqueued } = counts();
      const files = inputs.map(({ name }) => name);
      const lost = files.slice(0, ends.length).filter((_, index) => ends[index]! > enqueued);
      const [current, ...others] = files.slice(ends.length);
      if (current === undefined) return lost.map((file) => ({ file }));
      const begun = { file: current, ...(last && added === enqueued ? { after: last } : {}) };
      return [...lost.map((file) => ({ file })), begun, ...others.map((file) => ({ file }))];
    },
  };
}

/** `a.ndjson after line 12, b.ndjson` */
export function unfinishedText(unfinished: readonly Unfinished[]): string {
  const named = unfinished
    .slice(0, MAX_NAMED)
    .map(({ file, after }) => `${file}${after ? ` after${locationText(after)}` : ""}`);
  const more = unfinished.length - named.length;
  return named.join(", ") + (more > 0 ? `, and the ${more} files given after them` : "");
}

const locationText = (location: SourceLocation) =>
  "line" in location ? ` line ${location.line}` : "element" in location ? ` element ${location.element}` : "";
