/** An investor and its rounds. */
export default function Investor() {
  return <h1>Investor</h1>;
}
