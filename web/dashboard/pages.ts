import type { NavLink } from "../ui/frame.tsx";

/** The pages that the navigation leads to. */
export const PAGES: readonly NavLink[] = [
  ["/dashboard", "Overview"],
  ["/dashboard/explore", "Explore"],
  ["/dashboard/searches", "Saved searches"],
  ["/dashboard/follows", "Following"],
  ["/dashboard/webhooks", "Webhooks"],
  ["/dashboard/keys", "API keys"],
  ["/dashboard/applications", "Applications"],
  ["/dashboard/usage", "Usage"],
  ["/dashboard/members", "Members"],
  ["/dashboard/log", "Log"],
  ["/dashboard/sessions", "Sessions"],
];
