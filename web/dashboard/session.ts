import type { DashboardRequests } from "../../apps/dashboard/routes/routes.ts";
import { siteSession } from "../ui/site-session.ts";

export const API = "/dashboard/api";

/** The signed-in member. */
export const { Session, useSession, get, post, useSend } = siteSession<DashboardRequests>(API);
