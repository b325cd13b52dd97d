import { ApiError } from "../errors/api-error.ts";

/**
 * The message in a body; undefined when the body is no JSON. Throws `invalid_request` for what the SDK would take for several messages,
 * would refuse without a hint, or would leave out in silence.
 */
export function messageOf(body: string): unknown {
  const message = parsed(body);
  if (Array.isArray(message))
    throw new ApiError("invalid_request", "The body is an array. Send one message per request.");
  const given = argumentsOf(message);
  if (given === undefined) return message;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new ApiError(
      "invalid_request",
      '"arguments" has to be an object with the arguments of the tool by name, such as {"limit": 5}.',
    );
  if (Object.hasOwn(given, "__proto__"))
    throw new ApiError("invalid_request", "No tool has an argument '__proto__'. tools/list names those of each.");
  return message;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** The arguments of a call of a tool, whatever they are. */
function argumentsOf(message: unknown): unknown {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { arguments?: unknown } | null };
  return method === "tools/call" ? params?.arguments : undefined;
}
