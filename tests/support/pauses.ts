import { createTiming } from "@tranche/shared/process/timing";

/** The part of the usual pauses that the processes of tests make: a value for TRANCHE_PAUSES. */
export const PAUSES = "0.1";
/** Those pauses. */
export const timing = createTiming(Number(PAUSES));
