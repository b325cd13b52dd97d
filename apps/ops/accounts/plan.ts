import type { Plans } from "@tranche/shared/accounts/plans";
import { closest } from "@tranche/shared/domain/text/closest";
import { WrongUsage } from "../terminal/failure.ts";

/** The id of a plan given as its id or name, in any case. Throws WrongUsage. */
export function planNamed(text: string, plans: Plans): string {
  const wanted = text.trim().toLowerCase();
  const ids = Object.keys(plans);
  const found = ids.find((id) => id === wanted || plans[id]!.name.toLowerCase() === wanted);
  if (found) return found;
  const near = closest(wanted, ids);
  throw new WrongUsage(
    `There is no plan '${text}'.${near ? ` Did you mean '${near}'?` : ""} Plans: ${ids.join(", ")}.`,
  );
}
