import type { Account, AccountStore } from "@tranche/shared/accounts/account-store";
import type { AuditAction, AuditDetails } from "@tranche/shared/accounts/audit";
import type { FeedLinkStore } from "@tranche/shared/accounts/feed-link-store";
import type { IngestTokenStore } from "@tranche/shared/accounts/ingest-token-store";
import type { MappingStore } from "@tranche/shared/accounts/mapping-store";
import type { MemberStore } from "@tranche/shared/accounts/member-store";
import type { Role } from "@tranche/shared/accounts/role";
import type { FollowStore } from "@tranche/webhooks/follow-store";
import type { Installation } from "../installation/installation.ts";

/** The input that people give an operation, by kind. `libs/operations/accounts/given.ts` reads it from bodies, `apps/ops/accounts/given.ts` from options. */
export type Kinds = {
  name: string;
  plan: string;
  reason: string;
  email: string;
  role: Role;
  /** ISO time. */
  expires: string;
  /** Seconds. */
  overlap: number;
  /** Requests in any 60 seconds. */
  burst: number;
  /** Requests in a calendar month. */
  quota: number;
  /** Seconds until something ends by itself. */
  lasts: number;
};
type Kind = keyof Kinds;
/** `name?` may be left out. */
export type Field = Kind | `${Kind}?`;
export type InputOf<F extends Field> = { [K in Extract<F, Kind>]: Kinds[K] } & {
  [F2 in Exclude<F, Kind> as F2 extends `${infer K}?` ? K : never]?: F2 extends `${infer K extends Kind}?`
    ? Kinds[K]
    : never;
};

/** The subject of an operation: the whole installation, an account, or something that is found by its id, as a command shows it. */
export type Subject = "installation" | "account" | readonly [argument: string, help: string];
type SubjectOf<S extends Subject> = S extends "account" ? Account : S extends "installation" ? undefined : string;

/** The stores of an installation, changed in the name of an actor, and the installation itself. */
export type Doing = {
  actor: string;
  accounts: AccountStore;
  members: MemberStore;
  follows: Pick<FollowStore, "removeOfMember">;
  feedLinks: FeedLinkStore;
  ingestTokens: IngestTokenStore;
  mappings: MappingStore;
  installation: Installation;
};

/** Input of which some must be given, and what a refusal says when none is. */
export type OneOf = { kinds: readonly Kind[]; refusal: string };

/** A table of items: its columns by their headings, each a member of an item or made of it, and the text where there are none. */
export type Listing<T> = {
  columns: Readonly<Record<string, keyof T | ((item: T) => string)>>;
  empty: string;
};
type DrawTable = <T>(items: readonly T[], listing: Listing<T>) => string;

/** An option of a command: flags, help, and perhaps its default. */
type Option = readonly [flags: string, help: string, byDefault?: string];

/** The facts of every row. */
type Facts = {
  /** Its entry in the audit log, and what members read of it. */
  audit?: { action: AuditAction; told: (entry: Told) => string };
  /** A request of the dashboard's pages. */
  members?: MembersRoute;
};

/** A request of the dashboard, the role that it needs, and the status of its answer: 204 without data, otherwise 200 unless it is given. */
type MembersRoute = {
  route: string;
  role: Role;
  status?: 201;
  /** Members of a suspended account can look, revoke, pause and delete, but create and change nothing. */
  needsActive?: true;
  /** Only a session of the member's own does it, and not one by a link of somebody else. */
  ownSession?: true;
};

/**
 * An operation: one row. The command line, the operators' pages, the dashboard and the account's log are made of it. It loads no schema
 * and no client, because every start of the command line reads it.
 */
export type Operation<
  F extends Field = Field,
  S extends Subject = Subject,
  R = unknown,
  V = unknown,
  Route extends string = string,
  Sent extends F = F,
> = Facts & {
  on: S;
  input: readonly F[];
  oneOf?: OneOf;
  /** For accounts: one that is deleted is refused. */
  notDeleted?: true;
  /** For what can't be undone: what it would do, in words after "to". */
  confirm?(account: Account): string;
  does(doing: Doing, on: SubjectOf<S>, input: InputOf<F>): Promise<R>;
  command: {
    /** After `ops`. */
    name: string;
    summary?: string;
    description: string;
    /** The options of the input, in the order of the help. */
    options?: { [K in Kind]?: Option };
    /** Arguments. */
    example?: string;
    /** The document of --json; missing: the result. */
    shown?(result: R, on: SubjectOf<S>): unknown;
    text(result: R, on: SubjectOf<S>, table: DrawTable): string;
    /** A line beside the result. */
    aside?(result: R): string;
  };
  /** A request of the operators' pages. `input`: the fields of its body, if it takes fewer. `view`: its `data`; missing where the app has a handler of its own. */
  operators?: { route: Route; status?: 201; input?: readonly Sent[]; view?(result: R): V };
};

/** An operation that members alone can do, by a handler of the dashboard. */
export type MembersOperation = Facts & { members: MembersRoute };

/** An entry of the audit log, as its sentence needs it: `of` is the name of a key or webhook, empty when it is not known. */
export type Told = { details: AuditDetails; of: string; isOwn: boolean };

/** Keeps the types of a row: its input, what it is done to, its result, its view and its route for operators. */
export const operation = <
  const F extends Field,
  const S extends Subject,
  R,
  V = never,
  const Route extends string = never,
  const Sent extends F = F,
>(
  row: Operation<F, S, R, V, Route, Sent>,
) => row;

/** A row of the dashboard alone. */
export const membersOperation = (row: MembersOperation): MembersOperation => row;

/** A sentence about something that has a name, where that is known. */
export const about =
  (kind: string, done: string) =>
  ({ of }: Told): string =>
    `${done} ${of ? `the ${kind} “${of}”` : `a ${kind}`}`;
