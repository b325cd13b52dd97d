import { z } from "zod";
import { ERRORS, type ErrorCode, type ProblemCode, PROBLEMS } from "../errors/catalogue.ts";

export const error = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).meta({ id: "ErrorCode" }),
      message: z.string().meta({
        description: "The problem with its suggestion; of several problems, their number and the first.",
      }),
      parameter: z.string().optional().meta({ description: "The parameter of the first problem." }),
      details: z
        .array(
          z
            .strictObject({
              parameter: z.string(),
              code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]).meta({ id: "ProblemCode" }),
              message: z.string(),
              value: z.union([z.string(), z.number()]).optional(),
              suggestion: z.string().optional(),
              allowed: z.array(z.string()).optional(),
            })
            .meta({ id: "Problem" }),
        )
        .optional()
        .meta({ description: "All problems." }),
      doc_url: z.string(),
      request_id: z.string(),
    }),
  })
  .meta({ id: "ErrorResponse" });
