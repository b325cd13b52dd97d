/** CHANGELOG.md, as https://keepachangelog.com describes it. */

const UNRELEASED = "## [Unreleased]";
/** Each release says what an upgrade to it needs. */
const UPGRADING = "### Upgrading";

export type Step = "major" | "minor" | "patch";

/** The version after a step of semantic versioning. */
export function nextVersion(version: string, step: Step): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (step === "major") return `${major + 1}.0.0`;
  return step === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Returns the text below the heading of a version, or undefined if there is no such heading. */
export function notesOf(changelog: string, heading: string): string | undefined {
  const sections = changelog.split(/^(?=## )/m);
  const found = sections.find((section) => section.startsWith(`${heading} `) || section.startsWith(`${heading}\n`));
  return found?.slice(found.indexOf("\n") + 1).trim();
}

/** Gives what is unreleased the heading of a version, or throws a text for people. `date`: YYYY-MM-DD. */
export function released(changelog: string, version: string, date: string): string {
  const notes = notesOf(changelog, UNRELEASED);
  if (!notes) throw new Error(`CHANGELOG.md has nothing under '${UNRELEASED}': write there what changed.`);
  if (!notes.includes(UPGRADING))
    throw new Error(
      `CHANGELOG.md has no '${UPGRADING}' under '${UNRELEASED}': say whether a rebuild is due, and how long it takes.`,
    );
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${date}`);
}
