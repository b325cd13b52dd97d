import type { ComponentChildren } from "preact";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Notice } from "../../ui/states.tsx";
import { useSession } from "../session.ts";

/** Shows a new key, this once, and a command that works with it. */
export function NewKey({
  secret,
  close,
  children,
}: {
  secret: string;
  close: () => void;
  children?: ComponentChildren;
}) {
  const { api_url } = useSession();
  return (
    <>
      <Notice kind="warning">
        <p>
          <strong>Copy the key now.</strong> It is shown only this once, because it is stored only as a hash.
        </p>
      </Notice>
      <CodeBlock code={secret} what="the key" wrap />
      {children}
      <h3>Try it</h3>
      <CodeBlock
        code={`curl -H "Authorization: Bearer ${secret}" "${api_url}/api/v1/funding?limit=3"`}
        what="the command"
        wrap
      />
      <div class="row end">
        <button type="button" class="button primary" onClick={close}>
          Done
        </button>
      </div>
    </>
  );
}
