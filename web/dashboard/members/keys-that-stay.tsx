/** The working keys that somebody made: they belong to the account, and go on working. */
export function KeysThatStay({ keys }: { keys: readonly string[] }) {
  if (keys.length === 0) return null;
  return (
    <div>
      <p>
        {keys.length === 1 ? "A key that they made goes" : `${keys.length} keys that they made go`} on working. Revoke
        any that should stop on the page “API keys”:
      </p>
      <ul class="anywhere">
        {keys.map((name, n) => (
          <li key={n}>{name}</li>
        ))}
      </ul>
    </div>
  );
}
