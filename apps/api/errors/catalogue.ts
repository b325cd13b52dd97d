export { type ErrorCode, ERRORS } from "@tranche/http/errors/api-errors";
export { type Problem, type ProblemCode, PROBLEMS } from "@tranche/read-models/parameters/problem";
