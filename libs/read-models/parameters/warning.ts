/** A note to the caller about a valid answer. */
export type Warning = {
  code: "limit_capped" | "unknown_value" | "more_warnings" | "list_truncated" | "periods_left_out";
  message: string;
  parameter: string;
};
