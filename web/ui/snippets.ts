/** A request as code that people can copy and run. The key is in the environment variable `KEY`. */
export type Snippet = { name: "curl" | "TypeScript" | "Python"; language: "sh" | "ts" | "python"; code: string };

/** Characters that mean nothing in the quotes of a shell, of TypeScript or Python, nor to curl, which reads `{a,b}` and `[1-3]` in URLs. */
const UNSAFE = /[^A-Za-z0-9\-._~:/?&=,%!@+*;()]/gu;

/** A URL in which everything else is escaped. Escaped parts stay as they are. */
const safeUrl = (url: string): string =>
  url.toWellFormed().replace(UNSAFE, (character) => (character === "'" ? "%27" : encodeURIComponent(character)));

/** A GET request of the API, with the whole URL, in three languages. None needs a package beyond what the language has. */
export function snippetsOf(url: string): Snippet[] {
  const quoted = safeUrl(url);
  return [
    { name: "curl", language: "sh", code: `curl -H "Authorization: Bearer $KEY" \\\n  '${quoted}'` },
    {
      name: "TypeScript",
      language: "ts",
      code: `const response = await fetch("${quoted}", {
  headers: { Authorization: \`Bearer \${process.env.KEY}\` },
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`,
    },
    {
      name: "Python",
      language: "python",
      code: `import json, os, urllib.request

request = urllib.request.Request(
    "${quoted}",
    headers={"Authorization": f"Bearer {os.environ['KEY']}"},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`,
    },
  ];
}
