import { Empty } from "../../ui/states.tsx";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../../ui/table.tsx";
import { useLive } from "../parts/use-live.ts";
import { UtcTime } from "../parts/utc-time.tsx";

/** The stored mappings, each with its newest version. */
export default function Mappings() {
  const live = useLive("/mappings");
  return (
    <div class="stack">
      <h1>Mappings</h1>
      <p class="muted">
        A mapping says what the columns of a file mean. Uploads and files name it; each change is a version of its own.
      </p>
      <LivePage live={live} what="the mappings">
        {(mappings) =>
          mappings.length === 0 ? (
            <Empty title="There are no stored mappings">
              <p>
                <a href="/operators/ingests/new">Ingest a file</a> stores one, and so does{" "}
                <code>ops mappings put NAME FILE</code>.
              </p>
            </Empty>
          ) : (
            <Table label="Mappings" columns={["Name", { name: "Version", number: true }, "Stored", "By"]}>
              {mappings.map(({ name, version, created_at, created_by }) => (
                <tr key={name}>
                  <td>
                    <a href={`/operators/mappings/${encodeURIComponent(name)}`}>{name}</a>
                  </td>
                  <td class="number">{version}</td>
                  <td>
                    <UtcTime of={created_at} />
                  </td>
                  <td>{created_by}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </LivePage>
    </div>
  );
}
