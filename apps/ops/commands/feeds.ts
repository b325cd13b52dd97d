import { apiUrl } from "@tranche/shared/process/api-url";
import { Command } from "commander";
import type { Ops } from "../context/ops.ts";
import { Failure } from "../terminal/failure.ts";
import { ACCOUNT, accountFor } from "./options.ts";

export function feedsCommand(ops: Ops): Command {
  const feeds = new Command("feeds")
    .summary("Manage the feed links of saved searches")
    .description(
      "Manage feed links. Anyone with the link can follow the newest changes of one saved search in a feed reader, without a key.",
    );

  feeds
    .command("create")
    .summary("Create a feed link to a saved search")
    .description(
      "Create a feed link to a saved search. It is shown only once. A fresh page, at most one per minute, costs its account one request.",
    )
    .requiredOption(...ACCOUNT)
    .requiredOption(
      "--search <search>",
      "the saved search: its id, or its name if no other search of the account has it",
    )
    .addHelpText("after", '\nExample:\n  ops feeds create --account 8kQ2mZ0a --search "Seed rounds in Germany"')
    .action(async ({ account, search }: { account: string; search: string }) => {
      const owner = await accountFor(ops, account);
      const engines = await ops.engines();
      const { findSearch, shownFeedLink } = await import("../accounts/feed-links.ts");
      const { feedUrls } = await import("@tranche/shared/accounts/feed-urls");
      const { operator } = await import("../context/operator.ts");
      const saved = await findSearch(engines, owner.account, search);
      const { feedLinks } = await ops.doing();
      const { token, link } = await feedLinks.create({
        account: owner,
        search: saved.id,
        name: saved.name,
        created_by: operator(),
      });
      const urls = feedUrls(apiUrl(engines.settings), token);
      ops.terminal.show(
        { ...shownFeedLink(link), ...urls },
        `Created feed link ${link.key_id} to '${saved.name}'. Shown only once:\nAtom: ${urls.atom}\nJSON Feed: ${urls.json}`,
      );
    });

  feeds
    .command("list")
    .description("List the feed links of an account, including revoked ones. The links themselves are never shown.")
    .requiredOption(...ACCOUNT)
    .action(async ({ account }: { account: string }) => {
      const { account: handle } = await accountFor(ops, account);
      const { feedLinkTable, shownFeedLink } = await import("../accounts/feed-links.ts");
      const links = await (await ops.doing()).feedLinks.everyOf(handle);
      ops.terminal.show(links.map(shownFeedLink), feedLinkTable(links));
    });

  feeds
    .command("revoke")
    .description("Revoke a feed link. It stops working within one second.")
    .argument("<feed-id>", "the link's id, as `ops feeds list` shows it")
    .action(async (id: string) => {
      const { shownFeedLink } = await import("../accounts/feed-links.ts");
      const { feedLinks } = await ops.doing();
      const link = await feedLinks.find(id);
      if (!link) throw new Failure(`There is no feed link '${id}'. \`ops feeds list\` shows them.`);
      const revoked = await feedLinks.revoke(link);
      ops.terminal.show(shownFeedLink(revoked), `Feed link ${id} to '${revoked.name}' is revoked.`);
    });

  return feeds;
}
