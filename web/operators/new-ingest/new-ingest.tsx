import { useEffect, useState } from "preact/hooks";
import type { FileView, MappingVersion } from "../data.ts";
import { Field } from "../../ui/field.tsx";
import type { RequestFailed } from "../../ui/request.ts";
import { Failed, Loading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { get, useSend } from "../session.ts";
import { withAnswers, withoutAnswer } from "./answers.ts";
import { Columns } from "./columns.tsx";
import { FileField } from "./file-field.tsx";
import { type Answers, look } from "./look.ts";
import { Preview } from "./preview.tsx";
import { Questions } from "./questions.tsx";
import { SendFile } from "./send.tsx";
import "./new-ingest.css";

/** The choices of a person for a file. */
type Chosen = { file: File; map: string; answers: Answers };

/** A file of one's own: what its columns mean, what they leave open, its first rows as they will be listed, and its ingest. */
export default function NewIngest() {
  const send = useSend();
  const { value: mappings = [] } = useLoad("mappings", (signal) => get("/mappings", signal));
  const [chosen, setChosen] = useState<Chosen>();
  const [shown, setShown] = useState<{ view: FileView; of: Chosen }>();
  const [error, setError] = useState<RequestFailed>();
  const [looking, setLooking] = useState(false);

  useEffect(() => {
    if (!chosen) return undefined;
    let current = true;
    const { file, map, answers } = chosen;
    setError(undefined);
    setLooking(true);
    look(send, file, map, answers)
      .then(
        (view) => current && setShown({ view, of: chosen }),
        (failed: RequestFailed) => current && setError(failed),
      )
      .finally(() => current && setLooking(false));
    return () => void (current = false);
  }, [chosen]);

  const refusal = error?.parameter === "answer" ? error.message : undefined;
  const answer = (answers: Answers) =>
    setChosen((last) => last && { ...last, answers: withAnswers(last.answers, answers, refusal) });
  const takeBack = (id: string) => setChosen((last) => last && { ...last, answers: withoutAnswer(last.answers, id) });
  const view = shown && shown.of.file === chosen?.file ? shown.view : undefined;
  return (
    <div class="stack sections">
      <h1>Ingest a file</h1>
      <FileField file={chosen?.file} choose={(file) => setChosen({ file, map: "", answers: {} })} />
      {chosen && (
        <>
          <MappingField
            mappings={mappings}
            value={chosen.map}
            set={(map) => setChosen({ ...chosen, map, answers: {} })}
          />
          <Given answers={chosen.answers} takeBack={takeBack} />
        </>
      )}
      {looking && <Loading what="the first rows" />}
      {error && <Failed error={error} />}
      {view?.as === "suggested" && (
        <>
          <Questions of={view.questions} given={chosen!.answers} answer={answer} />
          <RowFields view={view} answer={answer} />
          <Columns view={view} correct={answer} />
        </>
      )}
      {view?.as === "records" && <p>The file has records: it needs no mapping.</p>}
      {view && <Preview of={view.preview} />}
      {view && <SendFile file={chosen!.file} view={view} mappings={mappings} ready={shown?.of === chosen && !error} />}
    </div>
  );
}

/** Chooses a stored mapping in place of a suggestion. */
function MappingField({
  mappings,
  value,
  set,
}: {
  mappings: readonly MappingVersion[];
  value: string;
  set: (map: string) => void;
}) {
  if (mappings.length === 0) return null;
  return (
    <Field label="Mapping">
      {(attributes) => (
        <select
          {...attributes}
          class="input short"
          value={value}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        >
          <option value="">suggest one from the file</option>
          {mappings.map(({ name, version }) => (
            <option key={name} value={`${name}@${version}`}>
              {name}, version {version}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** The kind of the rows, and the list of JSON that has them. */
function RowFields({ view, answer }: { view: FileView & { as: "suggested" }; answer: (answers: Answers) => void }) {
  const field = (label: string, id: string, value: string, options: readonly string[]) => (
    <Field label={label}>
      {(attributes) => (
        <select
          {...attributes}
          class="input short"
          value={value}
          onChange={({ currentTarget }) => answer({ [id]: currentTarget.value })}
        >
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <div class="row">
      {field("The rows are about", "kind", view.kind, view.kinds)}
      {view.lists.length > 0 &&
        field("The list with the rows", "for_each", view.list ?? "none", ["none", ...view.lists])}
    </div>
  );
}

/** The answers so far. Each can be taken back. */
function Given({ answers, takeBack }: { answers: Answers; takeBack: (id: string) => void }) {
  const given = Object.entries(answers);
  if (given.length === 0) return null;
  return (
    <section class="stack">
      <h2>Your answers</h2>
      <ul class="items">
        {given.map(([id, answer]) => (
          <li key={id}>
            <span class="anywhere">
              <code>{id}</code>: {answer}
            </span>
            <button type="button" class="button" onClick={() => takeBack(id)}>
              Take back<span class="visually-hidden"> the answer to {id}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
