/** A form for every list, and its results. */
export default function Explore() {
  return <h1>Explore</h1>;
}
