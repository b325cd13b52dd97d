import { ACCOUNT_OPERATIONS } from "./account-operations.ts";
import { KEY_OPERATIONS } from "./key-operations.ts";
import { MEMBER_OPERATIONS } from "./member-operations.ts";
import type { MembersOperation, Operation } from "./operation.ts";

/** The operations on accounts, their keys and their members. */
export const OPERATIONS = { ...ACCOUNT_OPERATIONS, ...KEY_OPERATIONS, ...MEMBER_OPERATIONS } as const;

export type OperationName = keyof typeof OPERATIONS;

/** All rows, with their names. */
export const ALL_OPERATIONS = Object.entries(OPERATIONS) as [OperationName, Operation | MembersOperation][];

/** The data that the operators' pages get of an operation. */
export type ViewOf<N extends OperationName> =
  (typeof OPERATIONS)[N] extends Operation<infer _F, infer _S, infer _R, infer V> ? V : never;
