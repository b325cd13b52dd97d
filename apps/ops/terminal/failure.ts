/** The command can't do what it was asked for: shown as it is, exit code 1. */
export class Failure extends Error {
  override name = "Failure";
}

/** Ctrl-C ended the command before its end: shown as it is, exit code 130. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** The command was called wrongly: shown as it is, exit code 2. */
export class WrongUsage extends Error {
  override name = "WrongUsage";
}
