import type { ApiError } from "./api-error.ts";
import type { ErrorCode, Problem } from "./catalogue.ts";

export type ErrorBody = {
  error: {
    code: ErrorCode;
    message: string;
    parameter?: string;
    details?: readonly Problem[];
    doc_url: string;
    request_id: string;
  };
};

/** The one shape of all errors. */
export function errorBody(error: Pick<ApiError, "code" | "message" | "details">, requestId: string): ErrorBody {
  // JSON leaves out what is undefined.
  const details = error.details?.map((problem) => ({ ...problem, hint: undefined }));
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(details?.[0] ? { parameter: details[0].parameter, details } : {}),
      doc_url: `/docs/errors#${error.code}`,
      request_id: requestId,
    },
  };
}
