/** One thing that is wrong with one parameter. */
export type Problem = {
  parameter: string;
  code: ProblemCode;
  message: string;
  /** The suggestion in words, for messages without details; `details` have `suggestion` instead. */
  hint?: string | undefined;
  /** The value that was sent, shortened to 100 characters. */
  value?: string | number | undefined;
  /** A similar value, or another parameter, that would have been accepted. */
  suggestion?: string | undefined;
  /** All accepted values, where they can be listed. */
  allowed?: readonly string[] | undefined;
};

/** The kinds of problems of a parameter. */
export const PROBLEMS = Object.freeze({
  unknown_parameter: "This endpoint has no parameter of this name.",
  missing_parameter: "The endpoint needs the parameter, and the request has none.",
  repeated_parameter: "The parameter is given more than once.",
  malformed_value: "The value does not have the form that the parameter requires.",
  unknown_value: "The value is not one of those that the parameter accepts.",
  out_of_range: "The number is smaller or larger than allowed, or the time is in the future.",
  too_many_items: "The list has more items than it may have: 50, or 2 dimensions to group by.",
  too_many_groups: "The filters leave more than 100,000 groups, or groups that take longer than 20 seconds to count.",
  crossed_bounds: "The lower bound is above the upper one.",
  contradiction: "Two parameters can't be used together.",
  other_list: "The cursor belongs to another list, other filters or another sort.",
  above_plan_limit: "The page is larger than the plan allows, and `Prefer: handling=strict` was sent.",
});
export type ProblemCode = keyof typeof PROBLEMS;
