import { buildPages } from "./building.ts";

await buildPages((line) => console.log(line));
