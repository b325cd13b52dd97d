/** A mapping can't be used: it is wrong, or leaves a question open. The message is for people. */
export class BadMapping extends Error {
  override name = "BadMapping";
}
