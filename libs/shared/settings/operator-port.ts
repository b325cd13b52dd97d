import { type Settings, SettingsError } from "./settings.ts";

/** Whether an interface can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

/** Throws a SettingsError when the operators' port would listen beyond this machine without a token. */
export function assertOperatorPortIsClosed(
  settings: Pick<Settings, "TRANCHE_OPERATOR_HOST" | "TRANCHE_OPERATOR_TOKEN">,
): void {
  if (settings.TRANCHE_OPERATOR_TOKEN !== undefined || isLoopback(settings.TRANCHE_OPERATOR_HOST)) return;
  throw new SettingsError(
    `TRANCHE_OPERATOR_HOST is '${settings.TRANCHE_OPERATOR_HOST}', so other machines can reach the operators' port, and ` +
      "TRANCHE_OPERATOR_TOKEN is not set. Set it to a long random text (`openssl rand -hex 32` prints one), " +
      "or set TRANCHE_OPERATOR_HOST to 127.0.0.1.",
  );
}
