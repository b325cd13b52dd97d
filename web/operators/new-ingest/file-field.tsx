import { useId, useState } from "preact/hooks";
import { shownBytes } from "../parts/figures.ts";

/** Where a file is dropped or chosen. */
export function FileField({ file, choose }: { file: File | undefined; choose: (file: File) => void }) {
  const id = useId();
  const [over, setOver] = useState(false);
  const [problem, setProblem] = useState<string>();
  const take = (files: FileList | null | undefined) => {
    const [first] = files ?? [];
    if (!first) return;
    setProblem(files!.length > 1 ? `One file at a time: ${first.name} was taken.` : undefined);
    choose(first);
  };
  return (
    <div
      class={`drop card stack${over ? " over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <label for={id}>Drop a CSV, JSON or NDJSON file here, or choose one. It may be packed with gzip.</label>
      <input
        id={id}
        type="file"
        // The same file can be chosen again after it was corrected.
        onClick={({ currentTarget }) => void (currentTarget.value = "")}
        onChange={({ currentTarget }) => take(currentTarget.files)}
      />
      {file && (
        <p class="anywhere">
          <strong>{file.name}</strong>, {shownBytes(file.size)}
        </p>
      )}
      {problem !== undefined && <p role="status">{problem}</p>}
    </div>
  );
}
