import { NarrowPage } from "../../ui/frame.tsx";
/** The pages need a token, and the installation has none. */
export function NoToken() {
  return (
    <NarrowPage name="Operators">
      <h1>These pages need a token</h1>
      <p>
        Set <code>TRANCHE_OPERATOR_TOKEN</code> to a long random text, for instance what{" "}
        <code>openssl rand -hex 32</code> prints, and start the process again.
      </p>
      <p class="muted">
        <code>/metrics</code> and <code>/health</code> work without it, and so does the command line:{" "}
        <code>ops help</code>.
      </p>
    </NarrowPage>
  );
}
