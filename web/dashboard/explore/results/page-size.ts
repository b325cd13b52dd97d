import { useSession } from "../../session.ts";
import { type Params, valueOf, withParams } from "../request/params.ts";

const SIZES = [10, 25, 50, 100];
const USUAL = 25;
const STORED = "tranche.rows";

/** The page sizes that a plan allows. */
export function usePageSizes(): readonly number[] {
  const most = useSession().account.max_limit ?? USUAL;
  return [...SIZES.filter((size) => size < most), most];
}

/** The parameters with a page size: their own one, or the one that was last chosen in this browser. */
export function withPageSize(params: Params, sizes: readonly number[]): Params {
  if (valueOf(params, "limit") !== undefined) return params;
  const wanted = Number(localStorage.getItem(STORED)) || USUAL;
  const size = sizes.findLast((one) => one <= wanted) ?? sizes[0]!;
  return withParams(params, { limit: String(size) });
}

export const rememberPageSize = (size: string): void => localStorage.setItem(STORED, size);
