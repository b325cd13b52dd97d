import { STORED_NAME, STORED_NAME_RULE } from "@tranche/shared/domain/text/stored-name";
import { InvalidArgumentError } from "commander";

/** The name of a set, as an option has it. */
export function setName(text: string): string {
  if (STORED_NAME.test(text)) return text;
  throw new InvalidArgumentError(`Expected ${STORED_NAME_RULE}.`);
}
