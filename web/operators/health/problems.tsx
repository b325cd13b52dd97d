import type { StatusView } from "../data.ts";
import { Notice } from "../../ui/states.tsx";
import { problemsOf } from "./problems-of.ts";

/** The problems that an operator should check, worst first; if there are none, it says so. */
export function Problems({ status }: { status: StatusView }) {
  const problems = problemsOf(status);
  if (problems.length === 0) {
    return (
      <Notice>
        <p>Nothing needs attention.</p>
      </Notice>
    );
  }
  return (
    <Notice kind={problems.some(({ kind }) => kind === "danger") ? "danger" : "warning"}>
      <ul class="problems">
        {problems.map(({ text, todo }) => (
          <li key={text}>
            <strong>{text}</strong> {todo}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
