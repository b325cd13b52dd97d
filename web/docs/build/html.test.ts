import { expect, test } from "vitest";
import { Html, html } from "./html.ts";

test("what is put into a template is escaped, unless it is HTML itself", () => {
  const value = `<b>"A" & 'B'</b>`;
  expect(html`<p title="${value}">${value}${new Html("<i>x</i>")}</p>`.text).toBe(
    '<p title="&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;">&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;<i>x</i></p>',
  );
});

test("lists are joined, and what is not there gives nothing", () => {
  expect(html`${["a", html`<b>${"<"}</b>`]}${false}${undefined}${null}${0}`.text).toBe("a<b>&lt;</b>0");
});
