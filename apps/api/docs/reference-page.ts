import { page } from "./page.ts";

/** The interactive reference: Swagger UI, served by this process. `addressOf` returns the path of an asset. */
export function referencePage(addressOf: (asset: string) => string): string {
  const head = `<link rel="stylesheet" href="${addressOf("swagger-ui.css")}">
<link rel="icon" type="image/png" href="${addressOf("favicon-32x32.png")}">
<style>body { margin: 0; }</style>`;
  const body = `<div id="reference"></div>
<noscript>This page needs JavaScript. The same is in <a href="/openapi.json">openapi.json</a>; errors are explained at <a href="/docs/errors">/docs/errors</a>.</noscript>
<script src="${addressOf("swagger-ui-bundle.js")}"></script>
<script src="${addressOf("start.js")}"></script>`;
  return page("Tranche API", head, body);
}

/** A separate script, so that the page's policy can forbid scripts in HTML. */
export const START_SCRIPT = `window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;
