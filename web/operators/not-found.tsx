/** For an address that has no page. */
export function NotFound() {
  return (
    <div class="stack">
      <h1>There is no such page</h1>
      <p>
        <a href="/operators">Go to the health of the installation</a>
      </p>
    </div>
  );
}
