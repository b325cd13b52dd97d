/** Exits with 0 if the address of the first argument answers with 200, else with 1 and the reason. The image has no curl. */
const url = process.argv[2]!;
const reason = await fetch(url, { signal: AbortSignal.timeout(4000) }).then(
  (response) => (response.ok ? undefined : `${response.status}`),
  (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
);
if (reason !== undefined) console.error(`${url}: ${reason}`);
process.exit(reason === undefined ? 0 : 1);
