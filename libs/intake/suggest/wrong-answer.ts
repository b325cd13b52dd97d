/** A person gave an answer that answers nothing. The message begins with it, as `ID=ANSWER`. */
export class WrongAnswer extends Error {
  override name = "WrongAnswer";
}
