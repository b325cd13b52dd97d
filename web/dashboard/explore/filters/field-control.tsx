import { useLayoutEffect, useState } from "preact/hooks";
import type { Field as FieldFacts } from "../../../../apps/dashboard/explore/list-fields.ts";
import { Field } from "../../../ui/field.tsx";
import type { Problem } from "../../../ui/request.ts";
import { readAmount, shownNumber } from "../request/amount-text.ts";
import { type Edge, readDay, shownDayText } from "../request/day-text.ts";
import { readList, writeList } from "../request/list-text.ts";
import { labelOfParameter, shownWord, withLabels } from "../words.ts";
import { Corrections } from "./corrections.tsx";
import { ItemsField } from "./items-field.tsx";
import { SOURCES } from "./suggestions.ts";

const FLAGS: Record<string, string> = { true: "Yes", false: "No" };

/** A parameter of the API as a field, with what the API says is wrong with it. `value` is as in a request; an empty one is none. */
export function FieldControl({
  field,
  value,
  problems,
  change,
}: {
  field: FieldFacts;
  value: string;
  problems: readonly Problem[];
  change: (value: string) => void;
}) {
  const { name, kind, choices = [], fallback } = field;
  const [unreadable, setUnreadable] = useState<string>();
  const label = labelOfParameter(name);
  const hint = withLabels(field.description.replaceAll("`", "")).replace(", YYYY-MM-DD", "");
  const said = problems.map((one) => problemText(one, kind)).join(" ");
  const isTyped = kind === "number" || kind === "year" || kind === "date" || kind === "text";
  const problem = (isTyped ? unreadable : undefined) ?? (said === "" ? undefined : said);
  const items = kind === "list" ? readList(value) : [];
  const changeItems = (next: typeof items | readonly (typeof items)[number][]) => change(writeList(next));
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(attributes) => {
        if (kind === "list") {
          return (
            <>
              <ItemsField
                field={name}
                label={label}
                source={SOURCES[name]}
                excludes={field.excludes ?? false}
                items={items}
                change={changeItems}
                attributes={attributes}
              />
              <Corrections field={name} items={items} problems={problems} change={changeItems} />
            </>
          );
        }
        if (isTyped) {
          return (
            <Typed
              attributes={attributes}
              value={value}
              words={WORDS[kind](name === "to" ? "last" : "first")}
              change={(text, wrong) => {
                setUnreadable(wrong);
                if (text !== undefined) change(text);
              }}
            />
          );
        }
        const words = kind === "flag" ? ["true", "false"] : choices;
        return (
          <select {...attributes} class="input" value={value} onChange={(event) => change(event.currentTarget.value)}>
            <option value="">{fallback === undefined ? "Any" : shownWord(fallback)}</option>
            {/* A value that the API would refuse is shown, too. */}
            {value !== "" && !words.includes(value) && <option value={value}>{value}</option>}
            {words
              .filter((word) => word !== fallback || word === value)
              .map((word) => (
                <option key={word} value={word}>
                  {FLAGS[word] ?? shownWord(word)}
                </option>
              ))}
          </select>
        );
      }}
    </Field>
  );
}

/** How a text becomes a value and is shown again, and what is said about one that does not. */
type Words = {
  read: (text: string) => string | undefined;
  shown: (value: string) => string;
  placeholder: string;
  expected: string;
};
const WORDS: Record<"number" | "year" | "date" | "text", (edge: Edge) => Words> = {
  number: () => ({
    read: readAmount,
    shown: shownNumber,
    placeholder: "5m or 5,000,000",
    expected: "a number. Write 5000000, 5,000,000 or 5m.",
  }),
  year: () => ({
    read: (text) => (/^\d{1,4}$/.test(text) ? text : undefined),
    shown: (value) => value,
    placeholder: "2005",
    expected: "a year. Write 2005.",
  }),
  date: (edge) => ({
    read: (text) => readDay(text, edge),
    shown: shownDayText,
    placeholder: "10 Sept 2013",
    expected: "a day. Write 10 Sept 2013, 2013-09-10, Sept 2013 or 2013.",
  }),
  text: () => ({ read: (text) => text, shown: (value) => value, placeholder: "", expected: "" }),
};

/** A text that is applied by Enter and by leaving the field; Escape takes it back. */
function Typed({
  attributes,
  value,
  words: { read, shown, placeholder, expected },
  change,
}: {
  attributes: object;
  value: string;
  words: Words;
  /** `value` is undefined for a text that says nothing, which `wrong` explains. */
  change: (value: string | undefined, wrong: string | undefined) => void;
}) {
  const [text, setText] = useState(() => shown(value));
  const reset = () => {
    setText(shown(value));
    change(undefined, undefined);
  };
  // After the field is drawn it would be too late: somebody may have typed.
  useLayoutEffect(reset, [value]);
  const apply = () => {
    const written = text.trim();
    if (written === shown(value)) return change(undefined, undefined);
    const next = written === "" ? "" : read(written);
    if (next === undefined) return change(undefined, `'${written}' is not ${expected}`);
    setText(shown(next));
    change(next, undefined);
  };
  return (
    <input
      {...attributes}
      class="input"
      type="text"
      autoComplete="off"
      placeholder={placeholder}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        const isUndone = event.key === "Escape" && text !== shown(value);
        if (event.key !== "Enter" && !isUndone) return;
        event.preventDefault();
        if (isUndone) reset();
        // Enter does not leave the field, so that a text that is wrong can be mended.
        else apply();
      }}
    />
  );
}

/** The problem. A list has a button for each suggestion. */
function problemText({ message = "", suggestion }: Problem, kind: FieldFacts["kind"]): string {
  const text = withLabels(message);
  return suggestion === undefined || kind === "list" ? text : `${text} Did you mean '${suggestion}'?`;
}
