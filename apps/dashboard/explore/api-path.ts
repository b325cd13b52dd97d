const PREFIX = "/dashboard/api/v1/";
const SLASHES = /[/\\]/;

/**
 * The path and query string that the API gets for a request of the pages; undefined for one that leads anywhere but below `/api/v1`.
 * Both are taken as they were sent: an id may have an escaped slash, but no part of a path may be empty, `.` or `..`.
 */
export function apiPath(url: string): string | undefined {
  if (!url.startsWith(PREFIX)) return undefined;
  const rest = url.slice(PREFIX.length);
  const question = rest.indexOf("?");
  const path = question < 0 ? rest : rest.slice(0, question);
  // Node's parser lets some characters through that no URL has.
  if (!/^[!-~]*$/.test(rest) || rest.includes("#")) return undefined;
  return path.split("/").every(isPlain) ? `/api/v1/${rest}` : undefined;
}

function isPlain(segment: string): boolean {
  try {
    return decodeURIComponent(segment)
      .split(SLASHES)
      .every((part) => part !== "" && part !== "." && part !== "..");
  } catch {
    return false;
  }
}
