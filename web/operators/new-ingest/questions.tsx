import { useState } from "preact/hooks";
import type { FileView } from "../data.ts";
import { TextField } from "../../ui/text-field.tsx";
import type { Answers } from "./look.ts";

type Question = (FileView & { as: "suggested" })["questions"][number];

/** The questions that the file leaves open. Each answer is tried at once; it can open another question, or settle it. */
export function Questions({
  of,
  given,
  answer,
}: {
  of: readonly Question[];
  given: Answers;
  answer: (answers: Answers) => void;
}) {
  if (of.length === 0) return null;
  return (
    <section class="stack">
      <h2>Questions</h2>
      <p class="muted">Nothing is ingested while one of them is open.</p>
      {of.map((question) => (
        <Asked key={question.id} question={question} given={given[question.id]} answer={answer} />
      ))}
    </section>
  );
}

function Asked({
  question: { id, column, question, answers, free },
  given,
  answer,
}: {
  question: Question;
  given: string | undefined;
  answer: (answers: Answers) => void;
}) {
  const [typed, setTyped] = useState("");
  return (
    <fieldset class="card stack question">
      <legend>
        {column !== undefined && <strong>{column}: </strong>}
        {question}
      </legend>
      {Object.entries(answers).map(([name, meaning]) => (
        <label key={name} class="row choice">
          <input type="radio" name={id} checked={given === name} onChange={() => answer({ [id]: name })} />
          <span class="anywhere">
            <strong>{name}</strong>: {meaning}
          </span>
        </label>
      ))}
      {free !== undefined && (
        <form
          class="row free"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() !== "") answer({ [id]: typed.trim() });
          }}
        >
          <TextField label={`Or ${free}`} value={typed} set={setTyped} />
          <button type="submit" class="button">
            Use it
          </button>
        </form>
      )}
    </fieldset>
  );
}
