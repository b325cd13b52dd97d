import { snippetsOf } from "../../ui/snippets.ts";
import type { Highlight } from "./highlight.ts";
import { Html, html } from "./html.ts";
import { codeBox } from "./markdown.ts";
import { type Operation, resolve, type Schema } from "./operations.ts";
import { parameterRow } from "./parameter-row.ts";

export type Tools = {
  highlight: Highlight;
  /** Markdown of one paragraph or more. */
  prose: (text: string) => Html;
  schemas: Record<string, Schema>;
};

/** With so few parameters there is room for more of the answer. */
const FEW = 8;

/** The content of an operation's page: its description, a request as code beside its answer, and its parameters as a form. */
export function operationPage(operation: Operation, tools: Tools): Html {
  const { path, title, description, parameters, errors, answer, url } = operation;
  const label = answer.type === "application/json" ? "json" : "";
  return html`<h1>${title}</h1>
    <p class="path"><span class="method">GET</span> <code>${path}</code></p>
    ${tools.prose(description)}
    <form class="try" data-path="${path}" autocomplete="off">
      <div class="key row">
        <label for="api-key">API key</label>
        <input
          class="input"
          id="api-key"
          type="password"
          autocomplete="off"
          spellcheck="false"
          placeholder="trn_…"
          aria-describedby="key-hint"
        />
        <button class="button primary" type="submit" disabled>Send</button>
        <span class="muted small" id="key-hint">Sent to this service only, and kept in this tab only.</span>
      </div>
      <div class="pair${parameters.length <= FEW && " roomy"}">
        <section aria-labelledby="request">
          <h2 id="request">Request</h2>
          <div class="tabs">
            ${snippetsOf(url).map(
              ({ code, language }) => new Html(codeBox(tools.highlight(code, language).text, language)),
            )}
          </div>
        </section>
        <section aria-labelledby="answer">
          <h2 id="answer">Answer <span class="muted" id="status" role="status">example</span></h2>
          <div id="body">${new Html(codeBox(tools.highlight(answer.example, label).text, label))}</div>
        </section>
      </div>
      ${
        parameters.length > 0 &&
        html`<h2 id="parameters">Parameters</h2>
          <div class="parameters">${parameters.map((parameter) => parameterRow(parameter, tools.prose))}</div>`
      }
    </form>
    ${
      answer.schema &&
      html`<details class="members">
        <summary>Members of the answer</summary>
        ${members(answer.schema, tools, 0)}
      </details>`
    }
    <h2 id="errors">Errors</h2>
    <p class="errors">
      ${errors.flatMap(({ status, codes }) =>
        codes.map((code) => html`<a href="/docs/errors#${code}">${status} <code>${code}</code></a> `),
      )}
    </p>`;
}

/** The members of an object, nested ones inside. */
function members(given: Schema, tools: Tools, depth: number): Html {
  const schema = objectIn(given, tools.schemas);
  if (!schema?.properties || depth > 4) return html``;
  const rows = Object.entries(schema.properties).map(
    ([name, member]) =>
      html`<li>
        <code>${name}</code>
        <span class="muted small">${typeOf(member, tools.schemas)}</span>
        ${member.description}${members(member, tools, depth + 1)}
      </li> `,
  );
  return html`<ul class="members">
    ${rows}
  </ul>`;
}

/** The object that a schema is, has as items, or allows beside null. */
function objectIn(given: Schema, schemas: Record<string, Schema>): Schema | undefined {
  const schema = resolve(given, schemas);
  if (schema.properties) return schema;
  const inner = schema.items ?? schema.anyOf?.find((each) => objectIn(each, schemas) !== undefined);
  return inner && objectIn(inner, schemas);
}

function typeOf(given: Schema, schemas: Record<string, Schema>): string {
  const schema = resolve(given, schemas);
  if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => typeOf(each, schemas)))].join(" or ");
  if (schema.type === "array") return `list of ${schema.items ? typeOf(schema.items, schemas) : "values"}`;
  if (schema.format === "date" || schema.format === "date-time") return schema.format;
  return [schema.type ?? "value"].flat().join(" or ");
}
