import type { Detail, HttpError } from "./http-error.ts";

export type ErrorBody<Code extends string, Problem extends Detail> = {
  error: {
    code: Code;
    message: string;
    parameter?: string;
    details?: readonly Problem[];
    doc_url?: string;
    request_id: string;
  };
};

/** The one shape of all errors. `publicPath`: the path under which callers reach the service, such as `/tranche`; empty without one. */
export function errorBody<Code extends string, Problem extends Detail>(
  error: Pick<HttpError<Code, Problem>, "code" | "message"> & {
    details?: readonly Problem[] | undefined;
    docs?: string | null;
  },
  { requestId, publicPath }: { requestId: string; publicPath: string },
): ErrorBody<Code, Problem> {
  // JSON leaves out what is undefined.
  const details = error.details?.map((problem) => ({ ...problem, hint: undefined }));
  const { docs = `errors#${error.code}` } = error;
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(details?.[0] ? { parameter: details[0].parameter, details } : {}),
      ...(docs === null ? {} : { doc_url: `${publicPath}/docs/${docs}` }),
      request_id: requestId,
    },
  };
}
