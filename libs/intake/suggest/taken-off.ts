/**
 * What programs leave in texts, and how it is taken off: links of Markdown, the address of a page (Notion), footnotes (Wikipedia),
 * what is abroad (layoffs.fyi), characters of HTML, lists of Python or JSON.
 */
const LEFT_BY_PROGRAMS: readonly { shows: RegExp; replace: readonly (readonly [string, string])[] }[] = [
  { shows: /, ?Non-U\.S\.$/u, replace: [[", ?Non-U\\.S\\.$", ""]] },
  { shows: /<br ?\/?>/iu, replace: [["<br ?/?>", "; "]] },
  { shows: /\]\(https?:/iu, replace: [["\\[([^\\[\\]]+)\\]\\(https?://[^()\\s]*\\)", "$1"]] },
  { shows: /\S ?\[(?:\d{1,3}|[a-z])\]$/u, replace: [[" ?\\[(?:\\d{1,3}|[a-z])\\]", ""]] },
  { shows: /\S ?\(https?:\/\/[^()\s]*\)/iu, replace: [[" ?\\(https?://[^()\\s]*\\)", ""]] },
  {
    shows: /&(?:amp|quot|apos|nbsp|#0?39|[lr]squo|ndash|#821[167]);/iu,
    replace: [
      ["&nbsp;", " "],
      ["&quot;", '"'],
      ["&apos;|&#0?39;", "'"],
      ["&lsquo;|&#8216;", "‘"],
      ["&rsquo;|&#8217;", "’"],
      ["&ndash;|&#8211;", "–"],
      ["&amp;", "&"],
    ],
  },
  {
    shows: /^\[ *['"].*['"] *\]$|^\{(?!['"]\w+['"] ?:).*\}$|^(["'])[^"']+\1(?:, ?\1[^"']+\1)*$/u,
    replace: [
      ["^[\\[{] *|[\\]}]$", ""],
      ["(?<=^|, ?)['\"]|['\"](?=,|$)", ""],
    ],
  },
];

/** What takes off the texts of a column what programs left in them; nothing where they have none. */
export const takenOff = (texts: readonly string[]): [string, string][] =>
  LEFT_BY_PROGRAMS.filter(({ shows }) => texts.some((text) => shows.test(text))).flatMap(({ replace }) =>
    replace.map(([from, to]): [string, string] => [from, to]),
  );

const compiled = new Map<string, RegExp>();
function expression(from: string): RegExp {
  const known = compiled.get(from) ?? new RegExp(from, "giu");
  compiled.set(from, known);
  return known;
}

export const replaced = (text: string, replace: readonly (readonly [string, string])[]): string =>
  replace.reduce((before, [from, to]) => before.replace(expression(from), to), text).trim();
