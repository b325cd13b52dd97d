import { useRoute } from "preact-iso";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../../ui/table.tsx";
import { useLive } from "../parts/use-live.ts";
import { UtcTime } from "../parts/utc-time.tsx";

/** A version of a stored mapping, with all its versions; without a version in the address, the newest. */
export default function Mapping() {
  const { name } = useRoute().params as { name: string };
  const live = useLive(`/mappings/${encodeURIComponent(name)}`);
  return (
    <div class="stack">
      <p>
        <a href="/operators/mappings">All mappings</a>
      </p>
      {!live.value && <h1 class="anywhere">{name}</h1>}
      <LivePage live={live} what="the mapping">
        {({ mapping, versions, ...shown }) => (
          <>
            <h1 class="anywhere">
              {shown.name}, version {shown.version}
            </h1>
            <Table label="Versions" columns={["Version", "Stored", "By"]}>
              {versions.map(({ version, created_at, created_by }) => (
                <tr key={version}>
                  <td>
                    <a
                      href={`/operators/mappings/${encodeURIComponent(`${shown.name}@${version}`)}`}
                      aria-current={version === shown.version ? "true" : undefined}
                    >
                      {version}
                    </a>
                  </td>
                  <td>
                    <UtcTime of={created_at} />
                  </td>
                  <td>{created_by}</td>
                </tr>
              ))}
            </Table>
            <section class="stack">
              <h2>Mapping</h2>
              <pre role="region" aria-label="The mapping as JSON" tabIndex={0}>
                {JSON.stringify(mapping, null, 2)}
              </pre>
            </section>
          </>
        )}
      </LivePage>
    </div>
  );
}
