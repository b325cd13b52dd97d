/** A script of Google Sheets with the parts of its surroundings that it uses, and a call as a cell makes it. Prints the cells. */
export function appsScript(code: string, path: string): string {
  return `import { execFileSync } from "node:child_process";
const PropertiesService = { getScriptProperties: () => ({ getProperty: () => process.env.KEY }) };
const UrlFetchApp = {
  fetch(url, { headers }) {
    const sent = Object.entries(headers).flatMap(([name, value]) => ["-H", name + ": " + value]);
    const text = execFileSync("curl", ["-sS", "--fail", ...sent, url], { encoding: "utf8" });
    return { getContentText: () => text };
  },
};
const Utilities = { parseCsv: (text) => text.trim().split("\\r\\n").map((line) => line.split(",")) };
${code}
const cells = TRANCHE(${JSON.stringify(path)});
if (cells.length < 2 || cells[0][0] !== "company_id") throw new Error(JSON.stringify(cells));
console.log(cells.length - 1, "rows");
`;
}
