import { useState } from "preact/hooks";
import type { CreatedFeedLink, FeedLinkView, FollowView } from "../data.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Done, Notice } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { shownDistance, When } from "../../ui/when.tsx";
import { useSend } from "../session.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";

type Opened = { what: "create" } | { what: "revoke"; link: FeedLinkView };

/** The feed links of a saved search: create one, revoke one. */
export function FeedLinks({ view, reload }: { view: FollowView; reload: () => void }) {
  const [opened, setOpened] = useState<Opened>();
  const [done, setDone] = useState<string>();
  const close = (text?: string) => {
    setOpened(undefined);
    setDone(text);
    reload();
  };
  if (!view.has_feed) {
    return (
      <Notice>
        <p>Searches of {view.search.list} can’t be followed. Those of funding, signals and companies can.</p>
      </Notice>
    );
  }
  return (
    <section class="stack" aria-labelledby="feed-links">
      <div class="row between">
        <h2 id="feed-links">In a feed reader</h2>
        <button type="button" class="button primary" onClick={() => setOpened({ what: "create" })}>
          Create a feed link
        </button>
      </div>
      <p class="measure">
        A feed reader, Slack or a spreadsheet follows the newest changes through a link, without a key. The link opens
        this search alone. It has a new page at most once per minute. Each new page costs one request of your account.
      </p>
      <Done text={done} />
      {view.links.length === 0 ? (
        <p class="muted">There is no link yet.</p>
      ) : (
        <Table
          label="Feed links"
          class="feed-links"
          columns={["Begins with", "Created", "By", "Last used", { name: "Actions", hidden: true }]}
        >
          {view.links.map((link) => (
            <tr key={link.id}>
              <td>
                <code>{link.prefix}</code>
              </td>
              <td>
                <When time={link.created_at} />
              </td>
              <td>{link.created_by}</td>
              <td>{link.last_used_at ? <When time={link.last_used_at} /> : "never"}</td>
              <td class="feed-action">
                <button type="button" class="button danger" onClick={() => setOpened({ what: "revoke", link })}>
                  Revoke<span class="visually-hidden"> {link.prefix}</span>
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {opened?.what === "create" && <CreateFeedLink search={view.search} close={() => close()} />}
      {opened?.what === "revoke" && <RevokeFeedLink link={opened.link} close={close} />}
    </section>
  );
}

/** Revokes a feed link after confirmation. */
function RevokeFeedLink({ link, close }: { link: FeedLinkView; close: (done?: string) => void }) {
  const send = useSend();
  const revoke = async () => {
    await send("POST", `/feeds/${link.id}/revoke`);
    close(`The feed link ${link.prefix} is revoked.`);
  };
  return (
    <FormDialog title="Revoke the feed link" action="Revoke the link" danger run={revoke} close={() => close()}>
      <p>
        <code>{link.prefix}</code> stops working within one second. Readers that use it get nothing more. This can’t be
        undone.
      </p>
      <p>{link.last_used_at ? `It was last used ${shownDistance(link.last_used_at)}.` : "It was never used."}</p>
    </FormDialog>
  );
}

/** Creates a feed link and shows it, this once. */
function CreateFeedLink({ search, close }: { search: FollowView["search"]; close: () => void }) {
  const send = useSend();
  const [created, setCreated] = useState<CreatedFeedLink>();
  const create = async () => setCreated(await send("POST", `/searches/${search.id}/feeds`));
  if (created)
    return (
      <ShownOnce title="Your new feed link" what="the link" because="it is stored only as a hash" close={close}>
        <h3>Atom</h3>
        <CodeBlock code={created.atom} what="the Atom link" wrap />
        <h3>JSON Feed</h3>
        <CodeBlock code={created.json} what="the JSON Feed link" wrap />
      </ShownOnce>
    );
  return (
    <FormDialog title="Create a feed link" action="Create the link" run={create} close={close}>
      <p>
        Anyone with the link sees the newest changes of <b class="anywhere">{search.name}</b>, without signing in. Do
        not publish it. You can revoke it at any time.
      </p>
    </FormDialog>
  );
}
