import "./code-block.css";
import { CopyButton } from "./copy-button.tsx";

/**
 * Code or a command as it is, with a button that copies it. `what` names it: "the curl command". `wrap`: long lines are broken,
 * not scrolled.
 */
export function CodeBlock({ code, what, wrap = false }: { code: string; what: string; wrap?: boolean }) {
  return (
    <div class={`code-block ${wrap ? "wrap" : ""}`}>
      <pre tabIndex={0} role="region" aria-label={what}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={what} />
    </div>
  );
}
