/**
 * Whether a word begins with something that is at most `most` edits from `part`: a letter added, left out or replaced, or two
 * neighbours swapped. It counts like Elasticsearch's fuzzy query, where nothing is edited between two swapped letters.
 */
export function beginsWithin(word: string, part: string, most: number): boolean {
  if (word.startsWith(part)) return true;
  if (most === 0 || !mayBegin(word, part, most)) return false;
  const wanted = Array.from(part);
  const letters = Array.from(word).slice(0, wanted.length + most);
  if (letters.length + most < wanted.length) return false;

  // Rows of the table of distances: of the first i letters of `part` to the first j letters of `word`.
  let before: number[] = [];
  let last = Array.from({ length: letters.length + 1 }, (_, j) => j);
  for (let i = 1; i <= wanted.length; i++) {
    const row = [i];
    for (let j = 1; j <= letters.length; j++) {
      const replaced = last[j - 1]! + (wanted[i - 1] === letters[j - 1] ? 0 : 1);
      let least = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1);
      const swapped = i > 1 && j > 1 && wanted[i - 1] === letters[j - 2] && wanted[i - 2] === letters[j - 1];
      if (swapped) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    if (Math.min(...row) > most) return false;
    [before, last] = [last, row];
  }
  return Math.min(...last) <= most;
}

/** False for most words, at once: of the first `most + 1` letters one is not edited, and moves by `most` places at most. */
function mayBegin(word: string, part: string, most: number): boolean {
  // A letter takes two units at most.
  const start = word.slice(0, 2 * (2 * most + 1));
  let letters = 0;
  for (const letter of part) {
    if (start.includes(letter)) return true;
    if (++letters > most) return false;
  }
  return true;
}
