import type { WebhookSecret } from "../data.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Notice } from "../../ui/states.tsx";
import { useSession } from "../session.ts";

/** Shows the secret of a webhook, this once. */
export function NewSecret({ title, webhook, secret, close }: WebhookSecret & { title: string; close: () => void }) {
  const { api_url } = useSession();
  return (
    <ShownOnce title={title} what="the secret" close={close}>
      <CodeBlock code={secret} what="the secret" wrap />
      <p>
        Your program checks the signature of each message with it, as the{" "}
        <a href={`${api_url}/docs/webhooks`}>guide on webhooks</a> says.
      </p>
      {webhook.status === "pending" && (
        <Notice kind="warning">
          <p>
            Nothing is delivered until your receiver has answered a challenge with this secret. Give it the secret, then
            press “Ask the receiver” on the page of the webhook.
          </p>
        </Notice>
      )}
    </ShownOnce>
  );
}
