export default function Page() {
  return <code>src/pages/index.js</code>;
}
