const STORED = "tranche-docs-key";
const IN_ADDRESS = /^#key=(trn_\w{8,200})$/;
/** How examples name the key in shells, TypeScript and Python, and where a guide leaves it out. */
const MENTIONS = /\$KEY\b|\$\{process\.env\.KEY\}|\{os\.environ\['KEY'\]\}|\btrn_…/g;

const listeners = new Set<() => void>();

/** The reader's key, empty without one. It stays in this tab. */
export const readKey = (): string => sessionStorage.getItem(STORED) ?? "";

export function setKey(key: string): void {
  if (key === "") sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, key);
  for (const listener of listeners) listener();
}

/** Calls back after each change of the key. Returns how to stop that. */
export function onKeyChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Takes a key from the fragment of the address, which browsers do not send, and takes it out of the address. */
export function takeKeyFromAddress(): void {
  const [, key] = IN_ADDRESS.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(undefined, "", location.pathname + location.search);
  setKey(key);
}

/** Code with the reader's key in place of its variable; unchanged without a key. */
export function withKey(code: string, key = readKey()): string {
  return key === "" ? code : code.replaceAll(MENTIONS, () => key);
}
