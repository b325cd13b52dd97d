import { html } from "./html.ts";
import type { Operation } from "./operations.ts";

export const REFERENCE = "/docs/reference";

/** The page that lists all operations. */
export function referencePage(operations: readonly Operation[], pathOf: (operation: Operation) => string) {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const title = "All operations";
  const body = html`<h1>${title}</h1>
    <p>
      Every request is a <code>GET</code> with an API key in <code>Authorization: Bearer</code>. Each page has the
      request as code, and sends it when you give it a key. Generators of clients read
      <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
    </p>
    ${tags.map(
      (tag) =>
        html`<h2>${tag}</h2>
          <div class="table-scroll" tabindex="0" role="group" aria-label="${tag}">
            <table>
              <thead>
                <tr>
                  <th>Operation</th>
                  <th>Endpoint</th>
                </tr>
              </thead>
              <tbody>
                ${operations
                  .filter((each) => each.tag === tag)
                  .map(
                    (each) =>
                      html`<tr>
                        <td><a href="${pathOf(each)}">${each.title}</a></td>
                        <td><code>${each.path}</code></td>
                      </tr> `,
                  )}
              </tbody>
            </table>
          </div>`,
    )}`;
  return { path: REFERENCE, title, headings: [], sections: [{ id: "", title, text: "reference openapi" }], body };
}
