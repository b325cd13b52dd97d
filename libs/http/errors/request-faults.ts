/** Codes and statuses of requests that are refused before any app reads them. */
export const REQUEST_FAULTS = Object.freeze({
  invalid_request: 400,
  request_timeout: 408,
  uri_too_long: 414,
  header_fields_too_large: 431,
});
