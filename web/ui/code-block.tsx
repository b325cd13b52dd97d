import "./code-block.css";
import { CopyButton } from "./copy-button.tsx";

/** Code or a command as it is, with a button that copies it. `what` names it: "the curl command". */
export function CodeBlock({ code, what }: { code: string; what: string }) {
  return (
    <div class="code-block">
      <pre tabIndex={0} role="region" aria-label={what}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={what} />
    </div>
  );
}
