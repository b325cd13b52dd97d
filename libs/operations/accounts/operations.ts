import { ACCOUNT_OPERATIONS } from "./account-operations.ts";
import { KEY_OPERATIONS } from "./key-operations.ts";
import { MEMBER_OPERATIONS } from "./member-operations.ts";
import type { InputOf, MembersOperation, Operation } from "./operation.ts";
import { REQUEST_OPERATIONS } from "./request-operations.ts";
import { THROTTLE_OPERATIONS } from "./throttle-operations.ts";

/** The operations on accounts, their keys and their members. */
export const OPERATIONS = {
  ...ACCOUNT_OPERATIONS,
  ...THROTTLE_OPERATIONS,
  ...KEY_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...MEMBER_OPERATIONS,
} as const;

export type OperationName = keyof typeof OPERATIONS;

/** All rows, with their names. */
export const ALL_OPERATIONS = Object.entries(OPERATIONS) as [OperationName, Operation | MembersOperation][];

/** The types of the body and the data of each operation on the operators' pages, by its route. `Handlers`: of those without a view. */
export type OperatorsRequests<Handlers> = {
  [
    N in OperationName as RowOf<N> extends { operators?: { route: infer Route extends string } } ? Route : never
  ]: RowOf<N> extends Operation<infer F, infer _S, infer _R, infer V, infer _Route, infer Sent>
    ? {
        body: [F] extends [never] ? { confirm: string } | undefined : InputOf<Sent>;
        data: N extends keyof Handlers ? DataOf<Handlers[N]> : V;
      }
    : never;
};
type DataOf<Handler> = Handler extends (...asked: never[]) => Promise<infer D> ? D : never;
type RowOf<N extends OperationName> = (typeof OPERATIONS)[N];
