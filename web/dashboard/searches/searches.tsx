/** The searches that members of the account have saved. */
export default function Searches() {
  return <h1>Saved searches</h1>;
}
