import type { RequestFailed } from "../../ui/request.ts";
import { ApiFailed } from "./results/api-failed.tsx";

/** A look-up that failed. For an unknown id the API names the closest ones that it knows. */
export function LookUpFailed({
  error,
  what,
  hrefOf,
  retry,
}: {
  error: RequestFailed;
  what: string;
  hrefOf: (id: string) => string;
  retry: () => void;
}) {
  if (error.status !== 404) return <ApiFailed error={error} retry={retry} />;
  const closest = error.details.flatMap(({ allowed = [] }) => allowed);
  return (
    <div class="stack">
      <h1>There is no such {what}</h1>
      <p>{error.details[0]?.message ?? error.message}</p>
      {closest.length > 0 && (
        <>
          <h2>The closest that we know</h2>
          <ul>
            {closest.map((id) => (
              <li key={id}>
                <a href={hrefOf(id)}>{id}</a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a href={`/dashboard/explore/${what === "company" ? "companies" : "investors"}`}>
          Search {what === "company" ? "companies" : "investors"}
        </a>
      </p>
    </div>
  );
}
