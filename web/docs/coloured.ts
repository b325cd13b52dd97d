const STRING = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`]*`/g;
/** Longer texts stay plain: one element per string would make the page slow. */
const MAX_LENGTH = 60_000;

/** Code as nodes, its strings and the names of members coloured as in the code that the build made. */
export function coloured(code: string): Node[] {
  if (code.length > MAX_LENGTH) return [document.createTextNode(code)];
  const nodes: Node[] = [];
  let end = 0;
  for (const match of code.matchAll(STRING)) {
    const string = document.createElement("span");
    const isMember = code[match.index + match[0].length] === ":";
    string.className = isMember ? "t-keyword" : "t-string";
    string.textContent = match[0];
    nodes.push(document.createTextNode(code.slice(end, match.index)), string);
    end = match.index + match[0].length;
  }
  return [...nodes, document.createTextNode(code.slice(end))];
}
