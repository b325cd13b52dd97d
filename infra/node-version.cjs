// Loaded before any TypeScript, on which an older Node ends with a stack trace. Every Node can read this file.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error("Tranche needs Node 22.18 or later, this is " + major + "." + minor + ".");
  console.error(
    "Install a later one, or run `npm ci` with install scripts and dev dependencies: it brings Node 24 along.",
  );
  process.exit(1);
}
