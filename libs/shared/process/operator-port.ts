import { type Settings, SettingsError } from "./settings.ts";

/** Whether an interface can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

const SHORTEST = 20;
/** The placeholder for a token in examples, also within a longer text. */
const PLACEHOLDER =
  /(replace|change)[-_ ]?(me|this)|example|placeholder|your[-_ ]?token|operators?[-_ ]?token|^(.)\3+$/i;

/**
 * Throws a SettingsError when the operators' port would listen beyond this machine without a token that nobody guesses. The token itself is
 * not in the text.
 */
export function assertOperatorPortIsClosed(
  settings: Pick<Settings, "TRANCHE_OPERATOR_HOST" | "TRANCHE_OPERATOR_TOKEN">,
): void {
  if (isLoopback(settings.TRANCHE_OPERATOR_HOST)) return;
  const fault = faultOf(settings.TRANCHE_OPERATOR_TOKEN);
  if (fault === undefined) return;
  throw new SettingsError(
    `TRANCHE_OPERATOR_HOST is '${settings.TRANCHE_OPERATOR_HOST}', so other machines can reach the operators' port, and ` +
      `TRANCHE_OPERATOR_TOKEN ${fault}. Set it to a long random text (\`openssl rand -hex 32\` prints one), ` +
      "or set TRANCHE_OPERATOR_HOST to 127.0.0.1.",
  );
}

function faultOf(token: string | undefined): string | undefined {
  if (token === undefined) return "is not set";
  if (PLACEHOLDER.test(token)) return "is the text of an example, which everybody knows";
  if (token.length < SHORTEST) return `is too short (${token.length} of at least ${SHORTEST} characters)`;
  return undefined;
}
