// Random names of pages: all ASCII punctuation, dots in directories and names, `%`, case, Unicode,
// and `index`, `404` and endings of HTML at any place.

import { below, chance, pick } from "./random.mjs";

const PUNCTUATION = [..." !\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~"];
const WORDS = [
  "a", "b", "About", "UPPER", "x1", "2024", "404", "index", "index.html", "index.htm", "html", ".html", ".htm", "v1.2", "1.0.0", "node.js", "c++",
  "@scope", "a..b", "a.", "%20", "%2F", "%25", "%", "%zz", "%C3%A9", "é", "e\u0301", "ü", "日本語", "Ωmega", "😀", "ﬁ", "İ", "a b", "..", "...",
];
const ENDINGS = [".html", ".html", ".html", ".html", ".htm", ".xhtml", ".HTML"];

/** A segment that is not hidden. */
const segment = () => {
  const piece = () => (chance(0.45) ? pick(PUNCTUATION) : pick(WORDS));
  const text = chance(0.2) ? pick(WORDS) : Array.from({ length: 1 + below(4) }, piece).join("");
  return text.startsWith(".") ? segment() : text;
};

/** A page of one or two segments, whose last may be an index file. */
const name = () => {
  const dirs = Array.from({ length: below(2) }, segment);
  const last = chance(0.4) ? [segment(), `index${chance(0.9) ? ".html" : pick(ENDINGS)}`] : [segment() + pick(ENDINGS)];
  return [...dirs, ...last].join("/");
};

/** Names of files of one site: none is also a directory. */
export const names = (count) => {
  const [files, dirs] = [new Set(), new Set()];
  while (files.size < count) {
    const file = name();
    const above = file.split("/").slice(0, -1).map((_, depth, all) => all.slice(0, depth + 1).join("/"));
    if (dirs.has(file) || above.some((dir) => files.has(dir))) continue;
    files.add(file);
    for (const dir of above) dirs.add(dir);
  }
  return [...files];
};

const encoded = (path) => path.split("/").map(encodeURIComponent).join("/");

/** The paths at which a server could have a file. */
export const possiblePaths = (file) => {
  const bare = file.replace(/(^|\/)index\.x?html?$/, "").replace(/\.x?html?$/, "");
  const paths = [file, bare, `${bare}/`].map((path) => `/${path}`);
  return [...paths.map(encodeURI), ...paths.map(encoded)].map((path) => path.replaceAll(/[#?]/g, encodeURIComponent));
};
