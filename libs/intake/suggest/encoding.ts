import { isUtf8 } from "node:buffer";
import chardet from "chardet";
import iconv from "iconv-lite";

/** The encoding of a file, and others in which its text is as likely. */
export type Encoding = { name: string; isGuess: boolean; others: string[] };

const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];
const CANDIDATES =
  "windows-1252 iso-8859-15 windows-1250 windows-1251 windows-1253 windows-1254 windows-1257 koi8-r macroman cp850 cp866 gb18030 big5 shift_jis euc-jp euc-kr".split(
    " ",
  );
/** The detector's names for what belongs to a candidate. */
const DETECTED: Readonly<Record<string, string>> = {
  "iso-8859-1": "windows-1252",
  "iso-8859-2": "windows-1250",
  "iso-8859-5": "windows-1251",
  "iso-8859-7": "windows-1253",
  "iso-8859-9": "windows-1254",
};
const MULTI_BYTE = new Set(["gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"]);
/** Candidates whose score is closer to the best one are as likely. */
const CLOSE = 0.12;
/** Weight of the detector beside the shape of the words. */
const DETECTOR = 0.5;
/** Western texts are the most frequent, and their encoding needs no proof. */
const USUAL = 0.1;
/** UTF-8 has at least so many good characters for a broken one. */
const BROKEN = 2;
const MAX_WORDS = 2000;
/** Of all words together; a text without any mark between its words is cut. */
const MAX_BYTES = 64 * 1024;

/**
 * The encoding of bytes. Where they are not Unicode, all candidates are scored by two things: whether the decoded words are written as
 * words are, and what the detector's statistics of languages say about these words alone.
 */
export function encodingOf(bytes: Buffer): Encoding {
  const sure = (name: string): Encoding => ({ name, isGuess: false, others: [] });
  if (UTF16_MARKS.some((mark) => bytes.subarray(0, 2).equals(mark))) return sure("utf16");
  const order = utf16Order(bytes);
  if (order !== undefined) return sure(order);
  if (isUtf8(bytes)) return sure("utf8");
  if (isMostlyUtf8(bytes)) return { name: "utf8", isGuess: true, others: [] };
  const words = foreignWords(bytes);
  const detected = new Map<string, number>();
  for (const { name, confidence } of chardet.analyse(words)) {
    const candidate = DETECTED[name.toLowerCase()] ?? name.toLowerCase();
    detected.set(candidate, Math.max(detected.get(candidate) ?? 0, confidence));
  }
  // Files that end their lines with CR alone come from old Macs.
  const hasLines = bytes.includes(10);
  const scored = CANDIDATES.map((name) => {
    const text = iconv.decode(words, name);
    // Korean without Hangul is rather Japanese or Chinese.
    const isOdd = name === "euc-kr" && !/\p{Script=Hangul}/u.test(text);
    // Letters of Icelandic alone are rather those that Turkish has in their place.
    const isUsual = name === "windows-1252" && !/[ðþýÐÞÝ]/.test(text);
    const usual = isUsual ? USUAL : name === "macroman" && !hasLines ? 1 : 0;
    return {
      name,
      text,
      score: isOdd
        ? -1
        : plausibility(text, MULTI_BYTE.has(name)) + (DETECTOR * (detected.get(name) ?? 0)) / 100 + usual,
    };
  }).toSorted((a, b) => b.score - a.score);
  const [best] = scored;
  const others = scored.filter(({ score, text }) => score > best!.score - CLOSE && text !== best!.text);
  return {
    name: best!.name,
    isGuess: true,
    others: [...new Map(others.map((each) => [each.text, each.name])).values()].slice(0, 3),
  };
}

/** A few broken characters do not make another encoding: bytes of others hardly ever are UTF-8. */
function isMostlyUtf8(bytes: Buffer): boolean {
  const foreign =
    bytes
      .subarray(0, MAX_BYTES)
      .toString()
      .match(/[^\0-\x7f]/gu) ?? [];
  const broken = foreign.filter((each) => each === "\ufffd").length;
  return foreign.length - broken > BROKEN * broken;
}

/** Without its mark UTF-16 shows by zeros, all on one side, beside line ends and other characters of a text. */
function utf16Order(bytes: Buffer): string | undefined {
  const end = Math.min(bytes.length, MAX_BYTES) - 1;
  const zeros = [0, 0];
  let hasLines = false;
  for (let at = 0; at < end; at += 2)
    for (const side of [0, 1]) {
      if (bytes[at + side] !== 0) continue;
      const other = bytes[at + 1 - side]!;
      if (other < 0x20 && ![0x09, 0x0a, 0x0d].includes(other)) return undefined;
      hasLines ||= other === 0x0a || other === 0x0d;
      zeros[side]!++;
    }
  if (!hasLines || Math.min(...zeros) > 0 || Math.max(...zeros) < end / 8) return undefined;
  return zeros[0]! > 0 ? "utf-16be" : "utf-16le";
}

/** The words with bytes that are not ASCII, each once, a line each. */
function foreignWords(bytes: Buffer): Buffer {
  const words = new Set<string>();
  let length = 0;
  // Trailing bytes of some encodings are letters or punctuation of ASCII, so a word is a whole field.
  for (const field of bytes.toString("latin1").split(/[\r\n,;\t|"]+/)) {
    if (!/[\u0080-\u00ff]/.test(field) || words.has(field)) continue;
    words.add(field.slice(0, MAX_BYTES));
    length += field.length;
    if (words.size >= MAX_WORDS || length >= MAX_BYTES) break;
  }
  return Buffer.from([...words].join("\n"), "latin1");
}

/** A text of UTF-8 that somebody read as windows-1252, and as it was: `CafÃ©` and `Café`. */
export function garbledIn(texts: readonly string[]): [garbled: string, text: string] | undefined {
  for (const text of texts) {
    if (!/[ÃÂâÐÑ][^\0-\x7f]/.test(text)) continue;
    const bytes = iconv.encode(text, "windows-1252");
    if (isUtf8(bytes) && iconv.decode(bytes, "windows-1252") === text) return [text, bytes.toString()];
  }
  return undefined;
}

/** From 0 to 1: how much the characters that are not ASCII look like text. */
function plausibility(text: string, isMultiByte: boolean): number {
  if (/[\ufffd\u0080-\u009f\p{Co}\p{Cn}]/u.test(text)) return -1;
  let good = 0;
  let all = 0;
  for (const word of text.match(/[^\s\d(),.;:/&+'"-]+/g) ?? []) {
    const foreign = word.match(/[^\0-\x7f]/gu) ?? [];
    if (foreign.length === 0) continue;
    all += foreign.length;
    good += foreign.length * wordScore(word, foreign, isMultiByte);
  }
  return all === 0 ? 0 : good / all;
}

function wordScore(word: string, foreign: readonly string[], isMultiByte: boolean): number {
  // Signs such as the euro's stand alone or beside digits.
  if (/^[€£¥₹–—•…“”„’‘°²³§«»]+$/u.test(word)) return 1;
  if (foreign.some((each) => !/[\p{L}\p{M}’–“”„‘€£«»]/u.test(each))) return 0;
  const scripts = ["Latin", "Cyrillic", "Greek", "Han", "Hangul"].filter((script) =>
    new RegExp(`\\p{Script=${script}}`, "u").test(word),
  );
  const isMixed = scripts.length > 1 && !(isMultiByte && !scripts.includes("Cyrillic") && !scripts.includes("Greek"));
  if (isMixed) return 0.1;
  // Halfwidth Katakana and letters within Han words come from a wrong encoding.
  if (/[\uff61-\uff9f]/.test(word)) return 0.1;
  if (isMultiByte) return /[\p{Script=Cyrillic}\p{Script=Greek}]|[\u3100-\u312f]/u.test(word) ? 0.1 : scriptScore(word);
  if (/\p{Ll}\p{Lu}/u.test(word) && !/[a-z][A-Z]/.test(word)) return 0.2;
  if (/^\p{Ll}\p{Lu}+$/u.test(word)) return 0.2;
  const isLatin = scripts[0] === "Latin";
  if (isLatin && foreign.length > 2 && foreign.length / word.length > 0.6) return 0.1;
  return 1;
}

/** Han and Hangul words have several characters of the same kind. */
function scriptScore(word: string): number {
  const han = (word.match(/\p{Script=Han}/gu) ?? []).length;
  const hangul = (word.match(/\p{Script=Hangul}/gu) ?? []).length;
  return han > 0 && hangul > 0 ? 0.3 : 1;
}
