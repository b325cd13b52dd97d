import type { ComponentChildren } from "preact";
import { CodeBlock } from "../../ui/code-block.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
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
    <ShownOnce title="Your new key" what="the key" because="it is stored only as a hash" close={close}>
      <CodeBlock code={secret} what="the key" wrap />
      {children}
      <h3>Try it</h3>
      <CodeBlock
        code={`curl -H "Authorization: Bearer ${secret}" "${api_url}/api/v1/funding?limit=3"`}
        what="the command"
        wrap
      />
      <p>
        <a href={`${api_url}/docs/tasks#key=${secret}`} target="_blank" rel="noreferrer">
          Open the docs with this key in the examples
        </a>
      </p>
    </ShownOnce>
  );
}
