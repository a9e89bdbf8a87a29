// Random `_headers` and `_redirects`: new ones, and mutations of the recorded cases.

import { below, chance, pick, some } from "./random.mjs";

const PATHS = [
  "/", "/*", "/about", "/about/", "/about.html", "/blog/*", "/blog/:slug", "/blog/:slug/", "/blog/a", "/blog/a/", "/blog/a*",
  "/:x/*", "/:x", "/:x/:x", "/:a/:ab", "/*/a", "/*/a/", "/*.html", "/tags/*t*", "/tags/*/", "/docs/x", "/docs/x.html",
  "/sp%20ace/*", "/sp%20ace/%C3%BC", "/sp%20ace/ü.html", "/case/*", "/Case/page", "/Case/:p", "/old", "/old.html", "about",
  "https://example.org/*", "https://example.org/about", "https://other.org/*", "http://example.org/*", "https://:h.org/*",
  "//about", "/a-:x", "/:1", "/:x.html", "/sh*p", "/about?x=1", "/about#x", "/./about", "/*/*", "/shop/*/", "/shop*",
  "/de", "/de/", "/de/*", "/blog", "/blog/", "/index.html", "/blog/index.html", "/shop", "/shop/", "/shop.html", "/%61bout",
  "/blog//a", "/docs/../about", "/:x-:y", "/blog/:splat", "/:x?", "/*/:x", "/:x/*/", "/**", "/blog/**", "/tags/:t/*", "/Blog/*",
];
const TARGETS = [
  "/", "/new", "/new/:splat", "/:splat", "/blog/:slug", "/about", "/about/", "/about.html", "/docs/", "/docs/x", "/index.html",
  "https://example.net/", "https://example.org/about", "https://example.org", "/blog/a/", "about", "/tags/:splat/",
  "/blog/index.html", "/:x", "/:x/:splat", "/shop/", "/shop", "/de", "/de/:splat", "/about?x=:splat", "/about#x", "//about",
  "https://example.org/:splat", "https://example.org/blog/a/", "http://example.org/about", "/sp%20ace/%C3%BC", "/sp ace/ü", "/404",
];
const STATUSES = [
  "", "301", "302", "303", "307", "308", "301!", "302!", "200", "200!", "404", "404!", "410!", "451", "1000", "abc", "301!#x", "0301", "3!01",
];
const CONDITIONS = ["", "", "", "", "Country=de", "# note", "Language=en Role=a", "x"];
export const VALUES = [
  "noindex", "none", "all", "NOINDEX", "nofollow", "otherbot: noindex", "googlebot: noindex", "otherbot: nofollow",
  "max-snippet:20", "noindex, nofollow", "index, otherbot: none", "unavailable_after: 2030-01-01", "googlebot: all, noindex",
];
const HEADER_LINES = [
  () => `  X-Robots-Tag: ${pick(VALUES)}`, () => `  X-Robots-Tag: ${pick(VALUES)}`, () => `  x-robots-tag:${pick(VALUES)}`,
  () => `\tX-ROBOTS-TAG :${pick(VALUES)}`, () => "  X-Frame-Options: DENY", () => "  ! X-Robots-Tag", () => "  !X-Robots-Tag",
  () => "  X Robots Tag: noindex", () => "  X-Robots-Tag:", () => "  # X-Robots-Tag: noindex", () => "  ! x-robots-tag",
];

const headerBlock = () => [pick(PATHS), ...some(3, () => pick(HEADER_LINES)())].join("\n");
const redirectLine = () => {
  const query = some(1, () => pick(["", "id=:id", "b"]));
  return [pick(PATHS), ...query, pick(TARGETS), pick(STATUSES), pick(CONDITIONS)].join(pick([" ", "  ", "\t"]));
};

/** Returns new files, or those of a recorded case with lines of another and a few changes. */
export const rulesFiles = (cases) => {
  const ending = chance(0.05) ? "\r\n" : "\n";
  const lines = chance(0.5) ? composed() : mutated(pick(cases), pick(cases));
  return Object.fromEntries(Object.entries(lines).map(([name, all]) => [name, all.join(ending) + ending]));
};

const composed = () => ({
  _headers: some(5, headerBlock).flatMap((block) => block.split("\n")),
  _redirects: some(5, redirectLine),
});

const mutated = (first, second) => {
  const linesOf = (name) => [first, second].flatMap((files) => (files[name] ?? "").split("\n").filter(Boolean));
  const [headers, redirects] = [linesOf("_headers"), linesOf("_redirects")];
  for (let change = below(4); change >= 0; change -= 1) {
    mutate(headers, () => pick(HEADER_LINES)());
    mutate(redirects, redirectLine);
  }
  return { _headers: headers, _redirects: redirects };
};

const mutate = (lines, line) => {
  const at = below(lines.length + 1);
  pick([
    () => lines.splice(at, 1),
    () => lines.splice(at, 0, line()),
    () => lines.splice(at, 0, ...lines.slice(0, 1)),
    () => lines.reverse(),
    () => at < lines.length && (lines[at] = lines[at].replace(/\S+/, pick(PATHS))),
    () => at < lines.length && (lines[at] = lines[at].replace(/\b[1-5]\d\d!?/, pick(STATUSES))),
    // Names and values of headers stay valid: what a crawler does with others is not the host's matter.
    () => /^[/]/.test(lines[at] ?? "") && (lines[at] = spliced(lines[at])),
  ])();
};

/** Replaces a character of a path, but not its first. */
const spliced = (text) => {
  const at = 1 + below(text.split(/\s/)[0].length);
  return text.slice(0, at) + pick(["*", ":x", "/", "%", "!", "", " ", "?", "é"]) + text.slice(at + 1);
};

/** `netlify.toml` with the rules that such files can express, and its tables. */
export const netlifyTables = () => {
  const redirects = some(3, () => ({
    from: pick(PATHS),
    to: pick(TARGETS),
    ...(chance(0.7) ? { status: pick([200, 301, 302, 404, 410]) } : {}),
    ...(chance(0.6) ? { force: chance(0.8) } : {}),
    ...(chance(0.15) ? { conditions: { Country: ["de"] } } : {}),
    ...(chance(0.1) ? { query: { id: ":id" } } : {}),
  }));
  const headers = some(3, () => ({
    for: pick(PATHS.filter((path) => path.startsWith("/"))),
    values: { [pick(["X-Robots-Tag", "x-robots-tag", "X-Frame-Options"])]: chance(0.2) ? [pick(VALUES), pick(VALUES)] : pick(VALUES) },
  }));
  return { redirects, headers };
};

/** A TOML text of these tables. */
export const toml = ({ redirects, headers }) => [...redirects.map((rule) => table("redirects", rule)), ...headers.map((rule) => table("headers", rule))].join("\n");

const table = (name, rule) => [`[[${name}]]`, ...Object.entries(rule).map(([key, value]) => `${key} = ${inline(value)}`)].join("\n");
const inline = (value) => {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value === "object") return `{ ${Object.entries(value).map(([key, item]) => `${key} = ${inline(item)}`).join(", ")} }`;
  return JSON.stringify(value);
};
