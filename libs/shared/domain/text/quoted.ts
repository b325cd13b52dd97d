/** Names or texts in a sentence: `'Acme', 'Beta'`. */
export const quoted = (texts: Iterable<string>): string => Array.from(texts, (text) => `'${text}'`).join(", ");
