import { ApiError, invalidParameters } from "../errors/api-error.ts";

export const TOO_MANY_GROUPS = "too_many_groups";

/** The error of a request that is refused for its number of groups. */
export const tooManyGroups = (message: string): ApiError =>
  invalidParameters([{ parameter: "group_by", code: TOO_MANY_GROUPS, message }]);

/** Whether a request was refused for its number of groups. */
export const isTooManyGroups = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.details?.[0]?.code === TOO_MANY_GROUPS;
