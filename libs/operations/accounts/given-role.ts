import { ROLES } from "@tranche/shared/accounts/role";
import { z } from "zod";

/** The role that people give to a member. */
export const givenRole = z.enum(ROLES, `Choose a role: ${ROLES.join(", ")}.`);
