import { buildPages } from "./building.ts";

try {
  await buildPages((line) => console.log(line));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
