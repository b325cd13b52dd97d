import { Html, html } from "./html.ts";
import type { Parameter } from "./operations.ts";

/** Longer texts show their first sentence, and the rest when somebody asks. */
const SHOWN_WHOLE = 110;
/** A longer example, such as a cursor, says nothing in a field. */
const LONGEST_HINT = 40;

/** A parameter with its field in the form. Headers have none: the form sends only the key. */
export function parameterRow(parameter: Parameter, prose: (text: string) => Html): Html {
  const { name, required, type, excludes } = parameter;
  const isHeader = parameter.in === "header";
  const id = `parameter-${name}`;
  const code = html`<code>${name}</code>`;
  const exclusion = html`, <a href="/docs/filters#exclusion">! excludes</a>`;
  return html`<div class="parameter">
    <div class="name">
      ${isHeader ? code : html`<label for="${id}">${code}</label>`}
      <span class="muted small">${isHeader ? "header" : type}${required && ", required"}${excludes && exclusion}</span>
    </div>
    <div class="text">${text(parameter, prose)}</div>
    ${!isHeader && field(parameter, id)}
  </div>`;
}

function text({ text: whole, isList, values }: Parameter, prose: (text: string) => Html): Html {
  const end = whole.length > SHOWN_WHOLE ? whole.indexOf(". ") + 1 : 0;
  const allowed = isList && values.length > 0 && html`<p>${values.map((value) => html`<code>${value}</code> `)}</p>`;
  if (end === 0 && !allowed) return prose(whole);
  const first = prose(end === 0 ? whole : whole.slice(0, end));
  return html`<details>
    <summary>${first} <span class="more">${allowed ? `${values.length} values` : "More"}</span></summary>
    ${end > 0 && prose(whole.slice(end + 1))}${allowed}
  </details>`;
}

function field({ name, required, isList, values, example, initial }: Parameter, id: string): Html {
  if (!isList && values.length > 0) {
    return html`<select class="input" id="${id}" name="${name}">
      <option value="">(not sent)</option>
      ${values.map((value) => html`<option>${value}</option>`)}
    </select>`;
  }
  const hint = example.length > LONGEST_HINT ? "" : example;
  const needed = required && new Html(" required");
  return html`<input class="input" id="${id}" name="${name}" value="${initial}" placeholder="${hint}" ${needed} />`;
}
