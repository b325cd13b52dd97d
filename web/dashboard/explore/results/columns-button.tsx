import { useCallback, useState } from "preact/hooks";
import { Popover } from "../../../ui/popover.tsx";
import type { useColumns } from "./use-columns.ts";

/** Chooses the columns of the table. */
export function ColumnsButton({ columns: { all, shown, toggle } }: { columns: ReturnType<typeof useColumns> }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  return (
    <div class="popover-anchor columns-button">
      <button
        type="button"
        class="button"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(!isOpen)}
      >
        Columns
      </button>
      {isOpen && (
        <Popover label="Columns" close={close}>
          <div class="columns-choice">
            {all.slice(1).map((column) => (
              <label key={column.head}>
                <input type="checkbox" checked={shown.includes(column)} onChange={() => toggle(column.head)} />
                {column.head}
              </label>
            ))}
          </div>
        </Popover>
      )}
    </div>
  );
}
