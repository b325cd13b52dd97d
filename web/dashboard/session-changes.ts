/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a channel has one argument. */
/** One for the whole tab, because it does not get its own messages. */
const channel = new BroadcastChannel("tranche-session");

/** Notifies the other tabs of this browser of a sign-in or sign-out. */
export function announceSessionChange(): void {
  channel.postMessage("changed");
}

/** Calls back when another tab has signed in or out. Returns a function that ends that. */
export function onSessionChange(changed: () => void): () => void {
  channel.addEventListener("message", changed);
  return () => channel.removeEventListener("message", changed);
}
