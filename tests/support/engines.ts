import { inject } from "vitest";
import { offered } from "../setup/offer.ts";
import type { Engines } from "./namespace.ts";

/** The engines of the run. A file that imports this waits until they serve. */
export const ENGINES = await offered<Engines>(inject("engines"));
