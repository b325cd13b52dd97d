import type { OperatorView } from "../../apps/operators/routes/session.ts";
import { siteSession } from "../ui/site-session.ts";

export const API = "/operators/api";

/** The signed-in operator. */
export const { Session, useSession, get, useSend } = siteSession<OperatorView>(API);
