// Netlify: `netlify-redirector`, the WebAssembly of its servers, and `@netlify/headers-parser` of its
// builds. Which file serves a URL is Netlify's documented order: the exact file, `.html`, `index.html`; `index.html` first after a slash.

import fs from "node:fs";
import path from "node:path";

import { netlifyTables, rulesFiles, toml } from "./rules_files.mjs";
import { PAGES, SITE, slashed } from "./pages.mjs";
import { chance } from "./random.mjs";

// netlify-redirector mixes these up with other rules: `//about` matches `/`, `/blog//a` matches
// `/blog/`, and a segment that ends with `*` never matches after a rule for `/*`, even one that does
// not apply.
const MIXED_UP = /(^|[^:])\/\/|(^|\s|")\/\S*[^/\s]\*/;

/** The file that Netlify serves for a decoded path. */
const fileOf = (url) => {
  const bare = url.replace(/^\//, "").replace(/\/$/, "");
  const index = bare === "" ? "index.html" : `${bare}/index.html`;
  const names = url.endsWith("/") ? [index, `${bare}.html`] : [url.slice(1), `${bare}.html`, index];
  return names.find((file) => PAGES.includes(file));
};

const decoded = (url) => {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
};

export const netlify = {
  // Rules of earlier configurations stay in the memory of netlify-redirector, and sometimes match.
  // A difference counts if it is there in a new instance too.
  isIsolated: true,
  environment: { NETLIFY: "true", CONTEXT: "production", URL: SITE },
  // A forced redirect from the URL of every fourth page.
  forms: () => [(names) => {
    const paths = names.filter((_, number) => number % 4 === 0).map(slashed).map((path) => path.replaceAll(/[#?]/g, encodeURIComponent));
    return { _redirects: paths.filter((path) => !MIXED_UP.test(path) && !/[*:]/.test(path)).map((path) => `${path} /new 301!\n`).join("") };
  }],
  make(cases) {
    const lines = (text) => text.split(/\r?\n/).filter((line) => !MIXED_UP.test(line)).join("\n") + "\n";
    const { _headers, _redirects } = rulesFiles(cases);
    const files = { _headers: lines(_headers), _redirects: lines(_redirects) };
    if (chance(0.3)) {
      const tables = netlifyTables();
      // A line is the only form of these rules that netlify-redirector reads as Netlify does, so they
      // are those that a line can have.
      const isKept = ({ from, for: path, to = "/" }) => !MIXED_UP.test(from ?? path) && /^(\/(?!\/)|https?:)\S*$/.test(to);
      const kept = { redirects: tables.redirects.filter(isKept), headers: tables.headers.filter(isKept) };
      return { ...files, "../netlify.toml": toml(kept), tables: kept };
    }
    return files;
  },
  async oracle({ load, tmp }) {
    for (const name of ["netlify-redirector", "netlify-redirector/lib/redirects.js"]) delete load.cache[load.resolve(name)];
    const redirector = load("netlify-redirector");
    const { parseAllHeaders } = await import(load.resolve("@netlify/headers-parser"));
    const file = path.join(tmp, "headers");
    const none = () => "";
    return async ({ _headers, _redirects, tables }) => {
      fs.writeFileSync(file, _headers);
      const configHeaders = structuredClone(tables?.headers ?? []);
      const { headers } = await parseAllHeaders({ headersFiles: [file], configHeaders, minimal: false });
      const parser = await redirector.parsePlain(_redirects + asLines(tables?.redirects ?? []), {});
      const robots = (url) => {
        const matching = headers.filter((header) => header.forRegExp.test(url));
        const values = matching.flatMap((header) => Object.entries(header.values));
        return values.filter(([name]) => name.toLowerCase() === "x-robots-tag").map(([, value]) => value);
      };
      const fetch = (url) => {
        const request = { scheme: "https", host: "example.org", path: decoded(url), query: "", getHeader: none, getCookie: none };
        const rule = parser.match(request);
        const page = fileOf(decoded(url));
        // A rule for a role is returned without a status; a crawler has no role.
        if (rule?.status && (rule.force || !page)) {
          const target = new URL(rule.to, SITE);
          const isOwn = rule.status === 200 && target.origin === SITE;
          return { status: rule.status, page: isOwn ? fileOf(decoded(target.pathname)) : null, robots: robots(url) };
        }
        return { status: page ? 200 : 404, page, robots: robots(url) };
      };
      return { fetch, urlOf: slashed };
    };
  },
};

/** The rules of netlify.toml as lines, which come after those of `_redirects`. */
const asLines = (rules) => rules.map(({ from, to, status = 301, force, conditions, query }) => {
  const [parameters, condition] = [query ? "id=:id" : "", conditions ? "Country=de" : ""];
  return `${from} ${parameters} ${to} ${status}${force ? "!" : ""} ${condition}\n`;
}).join("");
