import { useCallback, useRef, useState } from "preact/hooks";
import type { Field } from "../../../../apps/dashboard/explore/list-fields.ts";
import { Popover } from "../../../ui/popover.tsx";
import type { Problem } from "../../../ui/request.ts";
import { useToday } from "../../today.ts";
import { presetsOf } from "../request/day-text.ts";
import { type Params, valueOf, withParams } from "../request/params.ts";
import { type Filter, filtersOfList } from "../words.ts";
import { FieldControl } from "./field-control.tsx";
import "./filter-bar.css";
import { filterText } from "./filter-text.ts";

/** The filters of a list, in a row of chips. A change is applied at once. `offered`: so many empty ones are beside those in use; all are in a menu. */
export function FilterBar({
  fields,
  params,
  problems = [],
  offered: most = 6,
  apply,
}: {
  fields: readonly Field[];
  params: Params;
  problems?: readonly Problem[];
  offered?: number;
  apply: (params: Params) => void;
}) {
  const [open, setOpen] = useState<string>();
  const bar = useRef<HTMLDivElement>(null);
  const close = useCallback(() => setOpen(undefined), []);
  const filters = filtersOfList(fields);
  const isUsed = ({ fields: own }: Filter) => own.some(({ name }) => valueOf(params, name) !== undefined);
  const offered = filters.slice(0, most);
  const shown = filters.filter((filter) => isUsed(filter) || offered.includes(filter) || filter.name === open);
  const unused = filters.filter((filter) => !isUsed(filter));
  const clear = (left: Params) => {
    apply(left);
    // The button that had the focus is gone.
    bar.current?.querySelector("button")?.focus();
  };
  return (
    <div ref={bar} class="filter-bar popovers" role="group" aria-label="Filters">
      {shown.map((filter) => (
        <FilterChip
          key={filter.name}
          filter={filter}
          params={params}
          problems={problems.filter(({ parameter }) => filter.fields.some(({ name }) => name === parameter))}
          isOpen={open === filter.name}
          toggle={() => setOpen(open === filter.name ? undefined : filter.name)}
          close={close}
          clear={() => clear(params.filter(([name]) => filter.fields.every((field) => field.name !== name)))}
          apply={apply}
        />
      ))}
      {unused.length > 0 && (
        <div class="popover-anchor">
          <button
            type="button"
            class="filter-chip unused"
            aria-expanded={open === MENU}
            aria-haspopup="dialog"
            onClick={() => setOpen(open === MENU ? undefined : MENU)}
          >
            Add a filter
          </button>
          {open === MENU && (
            <Popover label="Add a filter" close={close}>
              <div class="filter-menu">
                {unused.map(({ name }) => (
                  <button key={name} type="button" onClick={() => setOpen(name)}>
                    {name}
                  </button>
                ))}
              </div>
            </Popover>
          )}
        </div>
      )}
      {params.some(([name]) => !NO_FILTERS.includes(name)) && (
        <button
          type="button"
          class="filter-clear"
          onClick={() => clear(params.filter(([name]) => NO_FILTERS.includes(name)))}
        >
          Clear all
        </button>
      )}
    </div>
  );
}

/** Parameters that stay when all filters are cleared. One that no list has is cleared as well. */
const NO_FILTERS = ["sort", "limit", "cursor", "offset"];
/** No filter has this name. */
const MENU = "";

function FilterChip({
  filter,
  params,
  problems,
  isOpen,
  toggle,
  close,
  clear,
  apply,
}: {
  filter: Filter;
  params: Params;
  problems: readonly Problem[];
  isOpen: boolean;
  toggle: () => void;
  close: () => void;
  clear: () => void;
  apply: (params: Params) => void;
}) {
  const said = filterText(filter, params);
  const change = (values: Readonly<Record<string, string>>) => {
    const changes = Object.entries(values).map(([name, value]) => [name, value === "" ? undefined : value]);
    apply(withParams(params, Object.fromEntries(changes) as Record<string, string | undefined>));
  };
  const names = filter.fields.map(({ name }) => name);
  const hasPeriod = names.includes("from") && names.includes("to");
  const state = said === undefined ? "unused" : problems.length > 0 ? "wrong" : "used";
  return (
    <div class="popover-anchor filter">
      <button
        type="button"
        class={`filter-chip ${state}`}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={toggle}
      >
        {said === undefined && <span aria-hidden="true">+ </span>}
        {filter.name}
        {said !== undefined && (
          <>
            {": "}
            <b>{said}</b>
          </>
        )}
        {problems.length > 0 && <span class="visually-hidden"> needs a change</span>}
      </button>
      {said !== undefined && (
        <button type="button" class="filter-remove" aria-label={`Clear ${filter.name}`} onClick={clear}>
          <span aria-hidden="true">×</span>
        </button>
      )}
      {isOpen && (
        <Popover label={filter.name} close={close}>
          {hasPeriod && <Presets choose={({ from, to }) => change({ from, to })} />}
          {filter.fields.map((field) => (
            <FieldControl
              key={field.name}
              field={field}
              value={valueOf(params, field.name) ?? ""}
              problems={problems.filter(({ parameter }) => parameter === field.name)}
              change={(value) => change({ [field.name]: value })}
            />
          ))}
        </Popover>
      )}
    </div>
  );
}

/** The usual periods, by the day of the service. */
function Presets({ choose }: { choose: (period: { from: string; to: string }) => void }) {
  const today = useToday();
  if (today === undefined) return null;
  return (
    <div class="filter-presets" role="group" aria-label="Usual periods">
      {presetsOf(today).map((preset) => (
        <button key={preset.name} type="button" onClick={() => choose(preset)}>
          {preset.name}
        </button>
      ))}
    </div>
  );
}
