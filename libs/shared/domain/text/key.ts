/**
 * The key of a name: what names, slugs, cities and categories are compared by, on the way in and in every request.
 * That of `writtenKey`, with a final sigma as any other one. A name of signs only (`!!`) has the empty key.
 */
export function keyOf(text: string): string {
  return writtenKey(text).replaceAll("ς", "σ");
}

/**
 * The key as slugs have it: NFKD, `ß` as ss, no marks or apostrophes, lower case, every run of what is neither letter nor digit one
 * hyphen. Greek words end in a final sigma.
 */
export function writtenKey(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[ßẞ]/g, "ss")
    .replace(/[\p{M}'’‘`ʼ]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
