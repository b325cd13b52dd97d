import { useEffect, useState } from "preact/hooks";

const SHOWN_MS = 2500;

/** Copies a text and says that it did. `what` completes "Copy …" for screen readers; for everybody where the text is `elsewhere`. */
export function CopyButton({ text, what, elsewhere = false }: { text: string; what: string; elsewhere?: boolean }) {
  const [result, setResult] = useState<"copied" | "failed">();
  useEffect(() => {
    if (result === undefined) return;
    const timer = setTimeout(() => setResult(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => setResult((await copyText(text)) ? "copied" : "failed");
  return (
    <button type="button" class="button" onClick={() => void copy()}>
      <span>
        {result === undefined ? "Copy" : result === "copied" ? "Copied" : "Copy by hand"}
        <span class={elsewhere ? undefined : "visually-hidden"}> {what}</span>
      </span>
      <span class="visually-hidden" role="status">
        {result === "copied" ? `Copied ${what}` : ""}
      </span>
    </button>
  );
}

/** Whether it could be copied. Browsers offer a clipboard only by https and on localhost, and the older way elsewhere. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    // Inside an open dialog, because everything outside it is inert.
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}
