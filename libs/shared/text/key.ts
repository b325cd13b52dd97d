/**
 * The key of a name: what names, slugs, cities and categories are compared by, on the way in and in every request.
 * NFKD, `ß` as ss, no marks or apostrophes, lower case, every run of what is neither letter nor digit one hyphen.
 * A name of signs only (`!!`) has the empty key. Source: CONTRACT section 1, `investors`.
 */
export function keyOf(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[ßẞ]/g, "ss")
    .replace(/[\p{M}'’‘`ʼ]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
