import { ApiError, invalidParameters } from "../errors/api-error.ts";

export const TOO_MANY_GROUPS = "too_many_groups";

const ADVICE = "Narrow the rows with more filters, or group by fewer or broader dimensions.";

/** The error of a request that is refused for its number of groups. `problem`: a sentence; advice follows it. */
export const tooManyGroups = (problem: string, cause?: Error): ApiError =>
  invalidParameters([{ parameter: "group_by", code: TOO_MANY_GROUPS, message: `${problem} ${ADVICE}` }], cause);

/** Whether a request was refused for its number of groups. */
export const isTooManyGroups = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.details?.[0]?.code === TOO_MANY_GROUPS;
