/** A request as code that people can copy and run. The key is in the environment variable `KEY`. */
export type Snippet = { name: "curl" | "TypeScript" | "Python"; language: "sh" | "ts" | "python"; code: string };

/** A GET request of the API, with the whole URL, in three languages. None needs a package beyond what the language has. */
export function snippetsOf(url: string): Snippet[] {
  const quoted = url.replaceAll("'", "%27").replaceAll('"', "%22");
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
