import type { SessionView } from "../../apps/dashboard/routes/session.ts";
import { siteSession } from "../ui/site-session.ts";

export const API = "/dashboard/api";

/** The signed-in member. */
export const { Session, useSession, get, useSend } = siteSession<SessionView>(API);
