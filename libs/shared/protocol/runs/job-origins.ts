import type { Origin } from "../queue/enqueue.ts";
import type { JobRange } from "../queue/job-ledger.ts";

/** A range of a file, and the jobs of a run that hold it. */
export type JobOrigin = Origin & { jobs: JobRange };

/** The origins of all jobs of a run. */
type JobOrigins = {
  /** Adds the origins of a job's writes. */
  add(job: number, origins: readonly Origin[]): void;
  all(): JobOrigin[];
};

/** More parts than this are merged in pairs, so that a run stays a small document. */
const MAX_PARTS = 1000;

/** Collects which lines are in which jobs. Bounded in size: with many jobs the ranges get coarser, but they never leave a line out. */
export function createJobOrigins(maxParts = MAX_PARTS): JobOrigins {
  let parts: JobOrigin[] = [];
  let limit = maxParts;
  return {
    add(job, origins) {
      const ofJob = new Map<string, JobOrigin>();
      for (const origin of origins) {
        const key = `${origin.file} ${unitOf(origin)}`;
        const before = ofJob.get(key);
        ofJob.set(key, before ? joined(before, { ...origin, jobs: before.jobs }) : { ...origin, jobs: [job, job] });
      }
      parts.push(...ofJob.values());
      if (parts.length <= limit) return;
      parts = inPairs(parts);
      // Parts of different files stay apart, so many files need more parts than this.
      limit = parts.length > (3 * maxParts) / 4 ? 2 * parts.length : maxParts;
    },
    all: () => [...parts],
  };
}

/** The ranges of files that are in these jobs. Adjacent ranges are joined. */
export function originsOf(parts: readonly JobOrigin[], jobs: readonly JobRange[]): Origin[] {
  const found: JobOrigin[] = [];
  for (const part of parts) {
    if (!jobs.some(([first, last]) => part.jobs[0] <= last && part.jobs[1] >= first)) continue;
    const before = found.findLast((each) => isSame(each, part));
    if (before && part.jobs[0] <= before.jobs[1] + 1) found[found.indexOf(before)] = joined(before, part);
    else found.push(part);
  }
  return found.map(({ file, lines, elements }) => ({ file, ...(lines && { lines }), ...(elements && { elements }) }));
}

const MAX_NAMED = 20;

/** `a.ndjson lines 1 to 500, b.json elements 3 to 9` */
export function originsText(parts: readonly Origin[]): string {
  const named = parts.slice(0, MAX_NAMED).map(({ file, lines, elements }) => {
    if (lines) return `${file} lines ${lines[0]} to ${lines[1]}`;
    return elements ? `${file} elements ${elements[0]} to ${elements[1]}` : file;
  });
  const more = parts.length - named.length;
  return named.join(", ") + (more > 0 ? `, and ${more} more parts` : "");
}

const unitOf = ({ lines, elements }: Origin) => (lines ? "lines" : elements ? "elements" : "");
const isSame = (a: Origin, b: Origin) => a.file === b.file && unitOf(a) === unitOf(b);

function joined(a: JobOrigin, b: JobOrigin): JobOrigin {
  const span = (x: JobRange, y: JobRange): JobRange => [Math.min(x[0], y[0]), Math.max(x[1], y[1])];
  return {
    file: a.file,
    jobs: span(a.jobs, b.jobs),
    ...(a.lines && b.lines ? { lines: span(a.lines, b.lines) } : {}),
    ...(a.elements && b.elements ? { elements: span(a.elements, b.elements) } : {}),
  };
}

function inPairs(parts: readonly JobOrigin[]): JobOrigin[] {
  const merged: JobOrigin[] = [];
  for (let at = 0; at < parts.length; at++) {
    const [part, next] = [parts[at]!, parts[at + 1]];
    if (next && isSame(part, next)) {
      merged.push(joined(part, next));
      at++;
    } else merged.push(part);
  }
  return merged;
}
