import type { OperatorRequests } from "../../apps/operators/routes/routes.ts";
import { siteSession } from "../ui/site-session.ts";

export const API = "/operators/api";

/** The signed-in operator. */
export const { Session, useSession, get, post, useSend } = siteSession<OperatorRequests>(API);
