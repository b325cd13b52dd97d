import { HttpError } from "@tranche/http/errors/http-error";
import { type DashboardErrorCode, ERRORS } from "./catalogue.ts";

/** An error of the dashboard. `message` says what is wrong; the pages add what to do. */
export class DashboardError extends HttpError<DashboardErrorCode> {
  override name = "DashboardError";

  constructor(
    code: DashboardErrorCode,
    message: string,
    rest: { parameter?: string; cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    const { parameter, ...others } = rest;
    super(code, ERRORS[code].status, message, {
      ...others,
      ...(parameter === undefined ? {} : { details: [{ parameter }] }),
    });
  }
}
