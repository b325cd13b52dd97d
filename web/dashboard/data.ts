import type { DashboardRequests } from "../../apps/dashboard/routes/routes.ts";

/** The data of an answer, such as `Data<"GET /session">`. */
type Data<Request extends keyof DashboardRequests> = DashboardRequests[Request]["data"];

export type KeysView = Data<"GET /keys">;
export type AccountKeyView = Data<"GET /keys">["keys"][number];
export type CreatedKeyView = Data<"POST /keys">;
export type ListedSearch = Data<"GET /searches">["searches"][number];
export type SearchView = Data<"POST /searches">;
export type WebhookView = Data<"GET /webhooks">["webhooks"][number];
export type WebhookSecret = Data<"POST /webhooks">;
export type DeliveryView = Data<"GET /webhooks/:id">["deliveries"][number];
export type FollowedView = Data<"POST /follows">;
export type FollowInSlackView = Data<"GET /members/follows">[number]["in_slack"][number];
export type MemberView = Data<"GET /members">["members"][number];
export type InvitedMember = Data<"POST /members">;
export type MemberLink = Data<"POST /members/link">;
export type LogView = Data<"GET /log">;
export type ConnectView = Data<"POST /oauth/look">;
export type RecentErrorView = Data<"GET /usage/errors">["errors"][number];
export type RecentErrorsView = Data<"GET /usage/errors">;
export type DailyUsageView = Data<"GET /usage/daily">;
export type FollowView = Data<"GET /searches/:id/follow">;
export type FeedLinkView = Data<"GET /searches/:id/follow">["links"][number];
export type CreatedFeedLink = Data<"POST /searches/:id/feeds">;
export type AcceptedInvitation = Data<"POST /invitations/accept">;
export type InvitationView = Data<"POST /invitations/look">;
export type SessionRow = Data<"GET /sessions">[number];
export type ApplicationRow = Data<"GET /applications">["applications"][number];
