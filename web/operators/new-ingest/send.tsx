import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FileView, MappingVersion } from "../data.ts";
import type { RequestFailed } from "../../ui/request.ts";
import { Failed } from "../../ui/states.tsx";
import { shownBytes } from "../parts/figures.ts";
import { TextField } from "../../ui/text-field.tsx";
import { useSend, useSession } from "../session.ts";
import { type ChosenSet, SetField } from "./set-field.tsx";
import { upload } from "./upload.ts";

/** Stores the mapping where it is a new one, sends the file, and goes on to the page of its run. `ready`: what is shown is up to date. */
export function SendFile({
  file,
  view,
  mappings,
  ready,
}: {
  file: File;
  view: FileView;
  mappings: readonly MappingVersion[];
  ready: boolean;
}) {
  const { csrf_token: csrfToken } = useSession();
  const { route } = useLocation();
  const send = useSend();
  const [name, setName] = useState(nameFor(file));
  const [set, setSet] = useState<ChosenSet>({ name: "", allowAll: false });
  const [sent, setSent] = useState<number>();
  const [error, setError] = useState<RequestFailed>();
  const aborted = useRef(new AbortController());
  useEffect(() => () => aborted.current.abort(), []);
  const busy = sent !== undefined;
  useEffect(() => {
    if (!busy) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [busy]);

  const run = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setError(undefined);
    setSent(0);
    try {
      const map = await storedMapping();
      const id = await upload({ file, map, set, csrfToken, onSent: setSent, signal: aborted.current.signal });
      route(`/operators/ingests/${encodeURIComponent(id)}`);
    } catch (failed) {
      setError(failed as RequestFailed);
      setSent(undefined);
    }
  };

  async function storedMapping(): Promise<string | undefined> {
    if (view.as === "records") return undefined;
    if (view.as === "mapped") return view.map;
    const content = new Blob([JSON.stringify(view.mapping)]);
    const stored = await send("PUT", `/mappings/${encodeURIComponent(name.trim())}`, content);
    return `${stored.name}@${stored.version}`;
  }

  const isOpen = view.as === "suggested" && view.questions.length > 0;
  return (
    <form class="card stack" onSubmit={(event) => void run(event)}>
      <h2>Ingest</h2>
      {view.as === "suggested" && (
        <TextField
          label="Name of the mapping"
          hint={nameHint(mappings.find((each) => each.name === name.trim()))}
          problem={error?.parameter === "mapping" ? error.message : undefined}
          value={name}
          set={setName}
          required
        />
      )}
      <SetField
        chosen={set}
        set={setSet}
        view={view}
        problem={error?.parameter === "set" ? error.message : undefined}
      />
      {error && error.parameter !== "mapping" && error.parameter !== "set" && <Failed error={error} />}
      {busy && (
        <div>
          <progress aria-label="Sent" max={Math.max(1, file.size)} value={Math.min(sent, file.size)} />
          <p class="muted" role="status">
            {shownBytes(Math.min(sent, file.size))} of {shownBytes(file.size)} sent. Leave the page open until the end.
          </p>
        </div>
      )}
      <div class="row">
        <button type="submit" class="button primary" disabled={busy || isOpen || !ready}>
          Ingest {file.name}
        </button>
        {isOpen && <span class="muted">A question is open.</span>}
      </div>
    </form>
  );
}

/** The name of a file as a name of a mapping. */
const nameFor = ({ name }: File): string =>
  name
    .replace(/\.gz$/i, "")
    .replace(/\.\w+$/, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64) || "mapping";

/** `known`: the newest version of the mapping that has the name. */
const nameHint = (known: MappingVersion | undefined): string =>
  known
    ? `'${known.name}' has version ${known.version}, by ${known.created_by}. A changed mapping becomes version ${known.version + 1}, and uploads that name '${known.name}' take it from then on.`
    : "The mapping is stored under this name, so that later files can name it.";
