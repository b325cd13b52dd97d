import { useState } from "preact/hooks";
import type { ListName } from "../../../../apps/dashboard/explore/list-fields.ts";
import type { Row } from "../api-rows.ts";
import { COLUMNS, type Column } from "./columns.tsx";

const storedAs = (list: ListName) => `tranche.columns.${list}`;

/** The columns of a list that this browser shows, and a way to change them. The first one is always shown. */
export function useColumns(list: ListName): {
  all: readonly Column<Row>[];
  shown: readonly Column<Row>[];
  toggle: (head: string) => void;
} {
  const all = COLUMNS[list] as readonly Column<Row>[];
  const [heads, setHeads] = useState(
    () => storedHeads(list) ?? all.filter(({ more }) => !more).map(({ head }) => head),
  );
  const toggle = (head: string) => {
    const next = heads.includes(head) ? heads.filter((one) => one !== head) : [...heads, head];
    setHeads(next);
    localStorage.setItem(storedAs(list), JSON.stringify(next));
  };
  return { all, shown: all.filter(({ head }, at) => at === 0 || heads.includes(head)), toggle };
}

/** The stored columns; undefined for nothing, and for what an older version or somebody else wrote. */
function storedHeads(list: ListName): string[] | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storedAs(list)) ?? "");
    return Array.isArray(stored) ? stored.map(String) : undefined;
  } catch {
    return undefined;
  }
}
