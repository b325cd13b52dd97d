import type { ComponentChildren } from "preact";
import type { AccountKeyView } from "../data.ts";
import type { KeyStatus } from "../../../libs/operations/accounts/key-view.ts";
import { When } from "../../ui/when.tsx";
import { countOf } from "../format.ts";

const STATUS: Record<KeyStatus, { text: string; kind: "" | "warning" | "over" }> = {
  works: { text: "Works", kind: "" },
  expires_soon: { text: "Expires soon", kind: "warning" },
  rotating: { text: "Being replaced", kind: "warning" },
  expired: { text: "Expired", kind: "over" },
  revoked: { text: "Revoked", kind: "over" },
};

/** A key in the list, with what can be done to it. */
export function KeyItem({ item, rotate, revoke }: { item: AccountKeyView; rotate: () => void; revoke: () => void }) {
  const { name, prefix, status, created_at, last_used_at, expires_at, revoked_at, mcp_requests } = item;
  const over = status === "revoked" || status === "expired";
  return (
    <li class="card key">
      <div class="key-name">
        <h2>{name}</h2>
        <span class={`badge ${STATUS[status].kind}`}>{STATUS[status].text}</span>
      </div>
      <dl class="key-facts">
        <Fact name="Begins with">
          <code>{prefix}</code>
        </Fact>
        <Fact name="Created">
          <When time={created_at} as="day" />
        </Fact>
        <Fact name="Last used">{last_used_at ? <When time={last_used_at} /> : "never"}</Fact>
        <Fact name="Assistants">{mcp_requests === 0 ? "none" : `${countOf(mcp_requests, "request")} in 90 days`}</Fact>
        {revoked_at === null ? (
          <Fact name={over ? "Expired" : status === "rotating" ? "Works until" : "Expires"}>
            {expires_at ? <When time={expires_at} as="minute" /> : "never"}
          </Fact>
        ) : (
          <Fact name="Revoked">
            <When time={revoked_at} as="minute" />
          </Fact>
        )}
      </dl>
      {!over && (
        <div class="row key-actions">
          {status !== "rotating" && (
            <button type="button" class="button" onClick={rotate}>
              Rotate<span class="visually-hidden"> {name}</span>
            </button>
          )}
          <button type="button" class="button danger" onClick={revoke}>
            Revoke<span class="visually-hidden"> {name}</span>
          </button>
        </div>
      )}
    </li>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
