/** Something that the caller should know about an answer that is otherwise right. */
export type Warning = {
  code: "limit_capped" | "unknown_value" | "more_warnings" | "list_truncated";
  message: string;
  parameter: string;
};
