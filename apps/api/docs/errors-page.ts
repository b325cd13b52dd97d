import { ERRORS, PROBLEMS } from "../errors/catalogue.ts";
import { escapeHtml, page } from "./page.ts";

const STYLE = `<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; background: #fff; }
h2 { margin-top: 2rem; } h2:target { background: #fff3c4; } code { background: #f2f4f7; padding: 0 .25em; border-radius: 3px; }
dt { font-weight: 600; margin-top: .5rem; } a { color: #0b57d0; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e9ee; background: #14181f; } code { background: #232a35; } h2:target { background: #4d4415; } a { color: #8ab4f8; }
}
</style>`;

/** Every error, each under its code as anchor: what `doc_url` points to. */
export function errorsPage(): string {
  const errors = Object.entries(ERRORS).map(
    ([code, { status, meaning, remedy }]) => `<h2 id="${code}"><code>${code}</code> (${status})</h2>
<p>${prose(meaning)}</p>
<p>What to do: ${prose(remedy)}</p>`,
  );
  const problems = Object.entries(PROBLEMS).map(
    ([code, meaning]) => `<dt><code>${code}</code></dt><dd>${prose(meaning)}</dd>`,
  );
  const body = `<h1>Errors</h1>
<p>Every error has one shape: <code>{"error": {"code", "message", "parameter", "details", "doc_url", "request_id"}}</code>.
<code>message</code> states the problem; of several, their number and the first, and <code>details</code> has all of them.
Programs should decide by <code>code</code>; messages may change. <a href="/docs">The API</a></p>
${errors.join("\n")}
<h1>Codes in <code>details</code></h1>
<dl>
${problems.join("\n")}
</dl>`;
  return page("Tranche API: errors", STYLE, body);
}

/** Text with `code` marked as code. */
const prose = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
