import { constants } from "node:os";

/**
 * Loaded before the program: it ends at a signal that no other handler takes. As process 1 of a container it would not get such a
 * signal, neither while it loads, which takes seconds, nor in a command that does not ask for signals.
 */
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  });
}
