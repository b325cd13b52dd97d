import type { OperatorRequests } from "../../apps/operators/routes/routes.ts";

/** The data of an answer, such as `Data<"GET /session">`. */
type Data<Request extends keyof OperatorRequests> = OperatorRequests[Request]["data"];

export type StatusView = Data<"GET /status">;
export type QueueView = Data<"GET /queues/:id">;
export type AuditView = Data<"GET /audit">[number];
export type AccountView = Data<"GET /accounts/:id">;
export type SignInLinkView = Data<"POST /accounts/:id/sign-in-link">;
export type PlanView = Data<"GET /plans">[number];
export type AccountRow = Data<"GET /accounts">[number];
export type RequestsNow = Data<"GET /requests">;
export type Figures = RequestsNow["total"];
export type Part = RequestsNow["without_key"]["addresses"][number];
export type AccountRequests = Data<"GET /requests/:id">;
export type NewKey = Data<"POST /accounts/:id/keys">;
export type NewAccount = Data<"POST /accounts">;
export type RebuildView = Data<"GET /rebuild">;
export type SetView = Data<"GET /sets">[number];
export type DeadLetterList = Data<"GET /dead-letters">;
export type FileView = Data<"POST /files/look">;
export type MappingVersion = Data<"GET /mappings">[number];
export type PreviewView = Data<"POST /files/look">["preview"];
