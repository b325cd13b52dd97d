import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import "./popover.css";

const MARGIN_PX = 16;

/**
 * A small window below the button that opens it; both are in one element, its anchor. Escape closes it and gives the focus back to the
 * button, and a click or the focus elsewhere closes it as well.
 */
export function Popover({ label, close, children }: { label: string; close: () => void; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { right } = box.current!.getBoundingClientRect();
    const around = box.current!.closest("dialog") ?? document.documentElement;
    const over = right + MARGIN_PX - around.getBoundingClientRect().right;
    if (over > 0) box.current!.style.marginLeft = `${-over}px`;
    const first = ["input", "select, button"].map((kind) => box.current!.querySelector<HTMLElement>(kind));
    first.find((element) => element !== null)?.focus();
  }, []);
  useEffect(() => {
    const anchor = box.current!.parentElement!;
    const isOutside = (target: EventTarget | null) => target instanceof Node && !anchor.contains(target);
    const leave = (event: FocusEvent) => isOutside(event.relatedTarget) && close();
    const press = (event: Event) => {
      if (!isOutside(event.target)) return;
      // A field applies its text when it loses the focus; only Chromium says so of one that goes away.
      const focused = document.activeElement;
      if (focused instanceof HTMLElement && anchor.contains(focused)) focused.blur();
      close();
    };
    anchor.addEventListener("focusout", leave);
    document.addEventListener("pointerdown", press);
    return () => {
      anchor.removeEventListener("focusout", leave);
      document.removeEventListener("pointerdown", press);
    };
  }, [close]);
  return (
    <div
      ref={box}
      class="popover stack"
      role="dialog"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        box.current!.parentElement!.querySelector<HTMLElement>("button")?.focus();
        close();
      }}
    >
      {children}
    </div>
  );
}
