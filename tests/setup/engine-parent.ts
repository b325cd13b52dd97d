/** A parent to kill: brings engines up in a home, says where they are, and then does nothing. Arguments: home, way. */
import { EnginesNotFound, findOrStartEngines } from "../../tools/local-engines/engines.ts";

const [home, only] = process.argv.slice(2) as [string, "docker" | "local"];
const log = (line: string): void => console.error(line);
try {
  const { elasticsearchUrl, redisUrl } = await findOrStartEngines({
    home,
    env: process.env,
    log,
    purpose: "start",
    only,
  });
  console.log(JSON.stringify({ elasticsearchUrl, redisUrl }));
} catch (error) {
  if (!(error instanceof EnginesNotFound)) throw error;
  console.log(JSON.stringify({ notFound: error.message }));
}
