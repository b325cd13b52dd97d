import { InvalidArgumentError } from "commander";

/** The number of an option: whole, and at least 1. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("expected a whole number from 1");
  return number;
}
