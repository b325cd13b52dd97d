import { CodeBlock } from "../../ui/code-block.tsx";
import { useSession } from "../session.ts";
import "./overview.css";

/** The first steps, for an account that has no key. */
export function FirstSteps() {
  const { api_url } = useSession();
  return (
    <section class="card stack">
      <h2>First steps</h2>
      <ol class="steps">
        <li>
          <p>
            <a class="button primary" href="/dashboard/keys?create=1">
              Create a key
            </a>
          </p>
        </li>
        <li>
          <p>Call the API with it. The page that shows your key has this line with the key in it.</p>
          <CodeBlock
            code={`curl -H "Authorization: Bearer YOUR_KEY" "${api_url}/api/v1/funding?limit=3"`}
            what="the command"
            wrap
          />
        </li>
        <li>
          <p>
            Read the <a href={`${api_url}/docs`}>documentation</a>, or <a href="/dashboard/explore">explore the data</a>{" "}
            without writing a program.
          </p>
        </li>
      </ol>
    </section>
  );
}
