export default function Page() {
  return <code>src/pages/tools.jsx</code>;
}
