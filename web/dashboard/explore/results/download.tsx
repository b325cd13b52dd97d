import { useState } from "preact/hooks";
import { Dialog } from "../../../ui/dialog.tsx";
import { requestText } from "../../../ui/request.ts";
import { useAttempt } from "../../../ui/use-attempt.ts";
import { count } from "../../format.ts";
import { API, useSession } from "../../session.ts";
import { hasOrder, sortedCsv } from "./csv-order.ts";
import { fileName } from "./file-name.ts";
import { filtersOf, type ExploreState } from "../request/explore-state.ts";
import { writeParams } from "../request/params.ts";
import { ApiFailed } from "./api-failed.tsx";

/** Results up to this number are read into the page, so that a broken download is noticed and never looks whole. */
const READ_UP_TO = 100_000;
const ROWS_PER_REQUEST = 1000;

/** Downloads results as CSV: the page, or the whole result where the plan allows exports. */
export function DownloadButton({
  explore,
  order,
  count: counted,
  disabled,
}: {
  explore: ExploreState;
  /** As the API names it. */
  order: string;
  count: number | undefined;
  disabled: boolean;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button" disabled={disabled} onClick={() => setOpen(true)}>
        CSV
        <span class="visually-hidden"> download</span>
      </button>
      {open && <DownloadDialog explore={explore} order={order} count={counted} close={() => setOpen(false)} />}
    </>
  );
}

function DownloadDialog({
  explore,
  order,
  count: counted,
  close,
}: {
  explore: ExploreState;
  /** As the API names it. */
  order: string;
  count: number | undefined;
  close: () => void;
}) {
  const { account } = useSession();
  const { busy, failed, attempt, forget } = useAttempt();
  const pagePath = `${explore.list}?${writeParams(explore.params)}`;
  const exported = writeParams([...filtersOf(explore.params), ["format", "csv"], ["excel", "true"]]);
  const exportPath = `${explore.list}/export?${exported}`;
  const file = fileName(explore, new Date());
  const isSmall = counted === undefined || counted <= READ_UP_TO;
  const isSorted = isSmall && hasOrder(explore.list, order);
  const orderOfRows = isSorted
    ? "the table"
    : `their ids, because ${isSmall ? "the file has no column for that of the table" : "there are so many"}`;
  const download = (path: string, name: string, inOrder: (text: string) => string) =>
    attempt(async () => {
      save(inOrder(await requestText(`${API}/v1/${path}`, "text/csv")), name);
      close();
    });
  const cost = counted === undefined ? undefined : Math.max(1, Math.ceil(counted / ROWS_PER_REQUEST));
  const costs =
    cost === undefined ? "one request for each 1,000 rows" : `${count(cost)} ${cost === 1 ? "request" : "requests"}`;
  return (
    <Dialog title="Download as CSV" close={close} busy={busy}>
      {failed && <ApiFailed error={failed} retry={forget} />}
      <p>
        {account.can_export
          ? `The whole result has ${counted === undefined ? "all rows" : `${count(counted)} rows`}, in the order of ${orderOfRows}. It costs ${costs}.`
          : `The plan ${account.plan_name} has no exports of whole results. A page can be downloaded on every plan.`}
      </p>
      <div class="row">
        {account.can_export &&
          (isSorted ? (
            <button
              type="button"
              class="button primary"
              disabled={busy}
              onClick={() =>
                void download(exportPath, `${file}.csv`, (text) => sortedCsv(text, explore.list, order) ?? text)
              }
            >
              {busy ? "Downloading …" : "All rows"}
            </button>
          ) : (
            <a class="button primary" href={`${API}/v1/${exportPath}`} download={`${file}.csv`} onClick={close}>
              All rows
            </a>
          ))}
        <button
          type="button"
          class={`button ${account.can_export ? "" : "primary"}`}
          disabled={busy}
          onClick={() => void download(pagePath, `${file}-page-${explore.page}.csv`, (text) => text)}
        >
          This page
        </button>
        <button type="button" class="button" disabled={busy} onClick={close}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

/** Excel shows umlauts and accents only after this mark. A text that is read from an answer has lost it. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Gives a text to the browser as a file. */
function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: some browsers start the download later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
