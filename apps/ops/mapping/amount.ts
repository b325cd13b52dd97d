const FACTORS: Record<string, number> = {
  "": 1,
  k: 1e3,
  thousand: 1e3,
  lakh: 1e5,
  lakhs: 1e5,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  crore: 1e7,
  crores: 1e7,
  cr: 1e7,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
};

/**
 * An amount as people write it, or undefined when it is none: `20,00,00,000`, `14,342,000+`, `$3.5M`, `US$ 1.2 bn`, `2 crore`.
 * Whatever groups the digits, it is the number of them that counts. Rounded half up to `decimals`.
 */
export function parseAmount(text: string, decimalMark: "." | ",", decimals: number): number | undefined {
  const grouping = decimalMark === "." ? /[,\s'’_]/g : /[.\s'’_]/g;
  const bare = text
    .trim()
    .replace(/^(?:usd|us\$|\$)\s*/i, "")
    .replace(/(?:usd|\+)$/i, "")
    .trimEnd();
  const match = /^(-?[\d.,\s'’_]*\d[.,]?)\s*([a-z]*)$/i.exec(bare);
  const factor = FACTORS[match?.[2]?.toLowerCase() ?? ""];
  if (!match || factor === undefined) return undefined;
  const digits = match[1]!.replace(grouping, "").replace(decimalMark, ".");
  if (!/^-?\d*(?:\.\d*)?$/.test(digits)) return undefined;
  const scale = 10 ** decimals;
  // Through text: 1.15 * 100 is not 115 in binary.
  return Math.round(Number(`${Number(digits)}e${decimals}`) * factor) / scale;
}
