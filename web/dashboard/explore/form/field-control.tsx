import type { Field as FieldFacts } from "../../../../apps/dashboard/explore/list-fields.ts";
import type { Problem } from "../../../ui/request.ts";
import { Field } from "../../../ui/field.tsx";
import type { Draft } from "../request/draft.ts";
import { shownWord } from "../words.ts";
import { Corrections } from "./corrections.tsx";
import { ItemsField } from "./items-field.tsx";
import { SOURCES } from "./suggestions.ts";

type Value = Draft[string];

/** A parameter of the API as a field, with what the API says is wrong with it. */
export function FieldControl({
  field,
  label,
  value,
  problems,
  change,
}: {
  field: FieldFacts;
  label: string;
  value: Value;
  problems: readonly Problem[];
  change: (value: Value) => void;
}) {
  const { name, kind, choices, fallback, example } = field;
  const problem = problems.map((one) => textOf(one, kind)).join(" ");
  const shownExample = example !== "" && kind !== "choice" && kind !== "flag" && kind !== "date";
  const hint = (
    <>
      {codeIn(field.description)}
      {shownExample && (
        <>
          {" "}
          For example <code>{example}</code>.
        </>
      )}
    </>
  );
  const text = typeof value === "string" ? value : "";
  return (
    <Field label={label} hint={hint} problem={problem === "" ? undefined : problem}>
      {(attributes) => {
        if (kind === "list") {
          const items = typeof value === "string" ? [] : value;
          return (
            <>
              <ItemsField
                field={name}
                label={label}
                source={SOURCES[name]}
                excludes={field.excludes ?? false}
                items={items}
                change={change}
                attributes={attributes}
              />
              <Corrections field={name} items={items} problems={problems} change={change} />
            </>
          );
        }
        const shared = { ...attributes, class: "input", value: text };
        if (kind === "choice" || kind === "flag") {
          const words = kind === "flag" ? ["true", "false"] : (choices ?? []);
          return (
            <select {...shared} onChange={(event) => change(event.currentTarget.value)}>
              <option value="">{fallback === undefined ? "Any" : `${shownWord(fallback)} (default)`}</option>
              {/* A value that the API would refuse is shown, too. */}
              {text !== "" && !words.includes(text) && <option value={text}>{text}</option>}
              {words.map((word) => (
                <option key={word} value={word}>
                  {kind === "flag" ? FLAGS[word] : shownWord(word)}
                </option>
              ))}
            </select>
          );
        }
        const enter = (event: { currentTarget: HTMLInputElement }) => change(event.currentTarget.value);
        // A field for dates would show a wrong one as nothing.
        return kind === "date" && isDay(text) ? (
          <input {...shared} type="date" onInput={enter} />
        ) : (
          <input
            {...shared}
            type="text"
            inputMode={kind === "number" ? "decimal" : "text"}
            autoComplete="off"
            onInput={enter}
          />
        );
      }}
    </Field>
  );
}

const FLAGS: Record<string, string> = { true: "Disclosed", false: "Undisclosed" };

function isDay(text: string): boolean {
  const time = Date.parse(text);
  return text === "" || (!Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text);
}

/** The problem. A list has a button for each suggestion. */
function textOf({ message = "", suggestion }: Problem, kind: FieldFacts["kind"]): string {
  return suggestion === undefined || kind === "list" ? message : `${message} Did you mean '${suggestion}'?`;
}

/** A text of the API's description: text in backticks is code. */
const codeIn = (text: string) =>
  text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
