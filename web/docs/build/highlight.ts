import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import javascript from "shiki/langs/javascript.mjs";
import json from "shiki/langs/json.mjs";
import python from "shiki/langs/python.mjs";
import shell from "shiki/langs/shellscript.mjs";
import typescript from "shiki/langs/typescript.mjs";
import { Html, html } from "./html.ts";

/** Turns code into HTML. A language that is not known stays plain. */
export type Highlight = (code: string, language: string) => Html;

const VARIABLE = /^var\(--token-([a-z-]+)\)$/;
/** Colours that are the text's own. */
const PLAIN = new Set(["foreground", "punctuation"]);

/** Colours go into classes (`t-string`), because the pages forbid styles in HTML. */
export async function createHighlight(): Promise<Highlight> {
  const theme = createCssVariablesTheme({ name: "classes", variablePrefix: "--", fontStyle: false });
  const highlighter = await createHighlighterCore({
    themes: [theme],
    langs: [javascript, json, python, shell, typescript],
    engine: createJavaScriptRegexEngine(),
  });
  const known = new Set(highlighter.getLoadedLanguages());
  return (code, language) => {
    if (!known.has(language)) return html`${code}`;
    const { tokens } = highlighter.codeToTokens(code, { lang: language, theme: "classes" });
    const lines = tokens.map((line) => new Html(line.map((token) => coloured(token.content, token.color)).join("")));
    return new Html(lines.map(String).join("\n"));
  };
}

function coloured(content: string, color: string | undefined): string {
  const kind = color === undefined ? undefined : VARIABLE.exec(color)?.[1];
  return kind === undefined || PLAIN.has(kind)
    ? html`${content}`.text
    : html`<span class="t-${kind}">${content}</span>`.text;
}
