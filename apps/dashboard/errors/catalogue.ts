/** Every error of the dashboard's own requests: its status, and what to do in words for people. */
export const ERRORS = {
  invalid_request: { status: 400, remedy: "Check what you entered, and try again." },
  signed_out: { status: 401, remedy: "Sign in again." },
  wrong_origin: { status: 403, remedy: "Open the dashboard in a tab of its own, and try there." },
  csrf_failed: { status: 403, remedy: "Reload the page, and try again." },
  account_suspended: { status: 403, remedy: "Ask the operators of this service." },
  not_found: { status: 404, remedy: "Go back to the overview." },
  conflict: { status: 409, remedy: "Reload the page to see how things are now." },
  link_unusable: { status: 410, remedy: "Ask for a new link: each can be used once, within 15 minutes." },
  too_large: { status: 413, remedy: "Send less at once." },
  too_many_requests: { status: 429, remedy: "Wait a moment, and try again." },
  internal_error: { status: 500, remedy: "Try again; if it happens again, report the request id." },
  unavailable: { status: 503, remedy: "Try again in a moment." },
} as const satisfies Record<string, { status: number; remedy: string }>;

export type DashboardErrorCode = keyof typeof ERRORS;
