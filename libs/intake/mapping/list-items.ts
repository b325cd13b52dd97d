const OPENING = "([{（";
const CLOSING = ")]}）";

/** Forms of companies that follow a comma. */
const LEGAL_FORM =
  /^ ?(?:inc|ltd|llc|llp|l\.?p|co|corp|gmbh|s\.?a|s\.?l|plc|pte|pty|b\.?v|n\.?v)\b(?:\.? ?(?:ltd|kg)\b)?\.? *(?:,|$)/i;

/**
 * The items of a list: a text split at its commas. A comma within brackets, as in `Angels (Ann Lee, Bo Chen)`, or before the legal form
 * of a company, as in `Blue, Inc.`, does not separate. A bracket without its counterpart is a plain character.
 */
export function splitAtCommas(text: string): string[] {
  const closings = closingBrackets(text);
  const items: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    at = closings.get(at) ?? at;
    if (text[at] !== "," || (at > from && LEGAL_FORM.test(text.slice(at + 1, at + 20)))) continue;
    items.push(text.slice(from, at));
    from = at + 1;
  }
  return [...items, text.slice(from)];
}

/** The position of each opening bracket that is closed, with that of its closing one. */
function closingBrackets(text: string): Map<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (OPENING.includes(text[at]!)) open.push(at);
    else if (CLOSING.includes(text[at]!) && open.length > 0) closings.set(open.pop()!, at);
  }
  return closings;
}
