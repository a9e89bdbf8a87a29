// Compares waypost's verdicts with those of the hosts' own code, for random configurations.
//
// usage: node hosts.mjs MODULES WAYPOST COUNT SEED
//
// MODULES is a node_modules directory made by hosts.sh. Each host has pages, a generator of random
// configurations, and a function that lists the pages which the host serves at their own URLs, and
// lets search engines index. The last line is `N passed, M failed`, one per page and configuration.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const [modules, waypost, count, seed] = process.argv.slice(2);
const load = createRequire(path.join(modules, "hosts.js"));
const site = "https://example.org";

const PAGES = [
  "index.html", "about.html", "blog/index.html", "blog/a/index.html", "blog/b/index.html", "docs/x.html",
  "old.html", "tags/t/index.html", "de/about.html", "sp ace/ü.html", "shop.html", "shop/index.html", "Case/Page.html",
];

// mulberry32, so that a seed repeats a run.
let state = Number(seed);
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const pick = (values) => values[Math.floor(random() * values.length)];
const some = (most, make) => Array.from({ length: Math.floor(random() * (most + 1)) }, make);

const PATHS = [
  "/", "/*", "/about", "/about/", "/about.html", "/blog/*", "/blog/:slug", "/blog/:slug/", "/blog/a", "/blog/a/", "/blog/a*",
  "/:x/*", "/:x", "/:x/:x", "/:a/:ab", "/*/a", "/*/a/", "/*.html", "/tags/*t*", "/tags/*/", "/docs/x", "/docs/x.html",
  "/sp%20ace/*", "/sp%20ace/%C3%BC", "/sp%20ace/ü.html", "/case/*", "/Case/page", "/Case/:p", "/old", "/old.html", "about",
  "https://example.org/*", "https://example.org/about", "https://other.org/*", "http://example.org/*", "https://:h.org/*",
  "//about", "/a-:x", "/:1", "/:x.html", "/sh*p", "/about?x=1", "/about#x", "/./about", "/*/*", "/shop/*/", "/shop*",
];
const TARGETS = [
  "/", "/new", "/new/:splat", "/:splat", "/blog/:slug", "/about", "/about/", "/about.html", "/docs/", "/docs/x", "/index.html",
  "/blog/index", "https://example.net/", "https://example.org/about", "https://example.org", "/blog/a/", "about", "/tags/:splat/",
];
const STATUSES = ["", "301", "302", "308", "301!", "302!", "200", "200!", "404", "404!", "410!", "1000", "abc", "301!#x", "0301", "3!01"];
const CONDITIONS = ["", "", "", "", "Country=de", "# note", "Language=en Role=a", "x"];
const VALUES = [
  "noindex", "none", "all", "NOINDEX", "nofollow", "otherbot: noindex", "googlebot: noindex", "otherbot: nofollow",
  "max-snippet:20", "noindex, nofollow", "index, otherbot: none",
];
const HEADER_LINES = [
  () => `  X-Robots-Tag: ${pick(VALUES)}`, () => `  X-Robots-Tag: ${pick(VALUES)}`, () => `  x-robots-tag:${pick(VALUES)}`,
  () => "  X-Frame-Options: DENY", () => "  ! X-Robots-Tag", () => "  !X-Robots-Tag", () => "  X Robots Tag: noindex",
  () => "  X-Robots-Tag:", () => "  # X-Robots-Tag: noindex",
];
// Paths that netlify-redirector mixes up with other rules: `//about` matches `/`, and a segment that ends with `*` never
// matches after a rule for `/*`, even one that does not apply.
const MIXED_UP = ["//about", "/blog/a*", "/shop*"];
const headersFile = () => some(4, () => [pick(PATHS), ...some(3, () => pick(HEADER_LINES)())].join("\n")).join("\n") + "\n";
const redirectLine = (paths) => [pick(paths), ...some(1, () => pick(["", "id=:id", "b"])), pick(TARGETS), pick(STATUSES), pick(CONDITIONS)].join(" ");
const redirectsFile = (paths) => some(4, () => redirectLine(paths)).join("\n") + "\n";
const rulesFiles = (paths) => () => ({ _headers: headersFile(), _redirects: redirectsFile(paths) });

// Whether the values of X-Robots-Tag keep Google's crawlers from indexing.
function forbids(values) {
  const rules = new Map();
  for (const value of values) {
    let crawler = "robots";
    for (const item of value.split(",")) {
      const named = item.match(/^\s*([\w-]+)\s*:(.*)$/);
      const isName = named && !/^(max-|unavailable)/i.test(named[1]);
      if (isName) crawler = named[1].toLowerCase();
      rules.set(crawler, [...(rules.get(crawler) ?? []), (isName ? named[2] : item).trim().toLowerCase()]);
    }
  }
  return ["robots", "googlebot"].some((name) => (rules.get(name) ?? []).some((rule) => rule === "noindex" || rule === "none"));
}

const slashed = (page) => "/" + page.replace(/(^|\/)index\.html$/, "$1");

async function netlify(tmp) {
  const redirector = load("netlify-redirector");
  const { parseAllHeaders } = await import(load.resolve("@netlify/headers-parser"));
  return async ({ _headers, _redirects }) => {
    const file = path.join(tmp, "headers");
    fs.writeFileSync(file, _headers);
    const { headers } = await parseAllHeaders({ headersFiles: [file], configHeaders: [], minimal: false });
    const parser = await redirector.parsePlain(_redirects, {});
    return (page) => {
      const url = slashed(page);
      const empty = () => "";
      const request = { scheme: "https", host: "example.org", path: url, query: "", getHeader: empty, getCookie: empty };
      const rule = parser.match(request);
      if (rule?.force && !(rule.status === 200 && samePage(rule.to, page))) return false;
      const matching = headers.filter((header) => header.forRegExp.test(encodeURI(url)));
      const values = matching.flatMap((header) => Object.entries(header.values));
      return !forbids(values.filter(([name]) => name.toLowerCase() === "x-robots-tag").map(([, value]) => value));
    };
  };
}

// Whether Netlify serves a page for the target of a rewrite.
function samePage(target, page) {
  const url = new URL(target, site);
  const bare = (text) => decodeURIComponent(text).replace(/\/$/, "");
  return url.origin === site && [slashed(page), slashed(page).replace(/\.html$/, ""), "/" + page].some((form) => bare(form) === bare(url.pathname));
}

// The sources of workers-shared are in wrangler's bundle, each after a comment with its path.
function wranglerParsers() {
  const bundle = fs.readFileSync(load.resolve("wrangler/wrangler-dist/cli.js"), "utf8");
  const part = (name) => {
    const from = bundle.indexOf(`// ../workers-shared/utils/configuration/${name}.ts\n`);
    return bundle.slice(from, bundle.indexOf("\n// ../", from + 1));
  };
  const text = ["constants", "validateURL", "parseHeaders", "parseRedirects"].map(part).join("\n");
  const construct = ["constructRedirects", "constructHeaders"].map((name) => {
    const from = bundle.indexOf(`\nfunction ${name}(`);
    return bundle.slice(from, bundle.indexOf("\n}\n", from) + 3);
  });
  const setUp = "init_constants2(); init_validateURL(); init_parseHeaders(); init_parseRedirects();";
  const names = "{ parseHeaders, parseRedirects, constructRedirects, constructHeaders }";
  const lazy = (parts) => { const run = Object.values(parts)[0]; let ran = false; return () => { if (!ran) { ran = true; run(); } }; };
  const make = new Function("__esm", "__name", "init_import_meta_url", "path3", `${text}\n${construct.join("\n")}\n${setUp}\nreturn ${names};`);
  return make(lazy, (value) => value, () => {}, path);
}

async function cloudflareHandler(tmp) {
  const map = JSON.parse(fs.readFileSync(load.resolve("@cloudflare/workers-shared/dist/asset-worker.mjs.map"), "utf8"));
  const engine = map.sourcesContent[map.sources.findIndex((name) => name.endsWith("utils/rules-engine.ts"))];
  const handler = path.join(path.dirname(load.resolve("@cloudflare/pages-shared/package.json")), "asset-server/handler.ts");
  const out = path.join(tmp, "handler.mjs");
  const replaced = {
    name: "rules-engine",
    setup(build) {
      build.onResolve({ filter: /rules-engine$/ }, () => ({ path: "rules-engine", namespace: "map" }));
      build.onResolve({ filter: /^\.\.\/handler$/, namespace: "map" }, () => ({ path: "versions", namespace: "map" }));
      build.onLoad({ filter: /^rules-engine$/, namespace: "map" }, () => ({ contents: engine, loader: "ts" }));
      build.onLoad({ filter: /^versions$/, namespace: "map" }, () => ({ contents: "export const REDIRECTS_VERSION = 1;", loader: "ts" }));
    },
  };
  await load("esbuild").build({ entryPoints: [handler], bundle: true, format: "esm", outfile: out, plugins: [replaced], logLevel: "error" });
  return (await import(out)).generateHandler;
}

async function cloudflarePages(tmp) {
  const { parseHeaders, parseRedirects, constructRedirects, constructHeaders } = wranglerParsers();
  const generateHandler = await cloudflareHandler(tmp);
  const logger = { debug() {}, log() {}, info() {}, warn() {}, error() {} };
  return async ({ _headers, _redirects }) => {
    const metadata = {
      ...constructRedirects({ redirects: parseRedirects(_redirects), redirectsFile: "_redirects", logger }),
      ...constructHeaders({ headers: parseHeaders(_headers), headersFile: "_headers", logger }),
    };
    return async (page) => {
      const url = new URL(slashed(page).replace(/\.html$/, ""), site);
      const response = await generateHandler({
        request: new Request(url),
        metadata,
        logError() {},
        findAssetEntryForPath: async (name) => (PAGES.includes(name.slice(1)) ? name.slice(1) : null),
        getAssetKey: (entry) => entry,
        negotiateContent: () => ({ encoding: null }),
        fetchAsset: async (key) => ({ body: key, contentType: "text/html" }),
        generateNotFoundResponse: async () => new Response(null, { status: 404 }),
      });
      if (response.status !== 200 || (await response.text()) !== page) return false;
      const value = response.headers.get("x-robots-tag");
      return !forbids(value === null ? [] : [value]);
    };
  };
}

const SOURCES = [
  "/about", "/about.html", "/blog/:slug", "/blog/:slug/", "/blog/:path*", "/:path*", "/(.*)", "/((?!blog|docs).*)", "/:p((?!about).*)",
  "/docs/:path+", "/(about|old)\\.html", "/:p.html", "/blog{/:y}?/a", "/Case/:p", "/:file*.html", "/blog/a/", "/shop", "/shop/",
  "/((?!.*\\.html$).*)", "/(?!blog/)(.*)", "/:x(\\w+)/:y", "/de/:x*{/}?",
];
const DESTINATIONS = ["/", "/about", "/blog/a", "/docs/", "https://example.net/", "/new/:splat"];
function vercelConfig() {
  const config = {};
  if (random() < 0.4) config.cleanUrls = random() < 0.7;
  if (random() < 0.4) config.trailingSlash = random() < 0.5;
  const redirects = some(2, () => ({ source: pick(SOURCES), destination: pick(DESTINATIONS), ...pick([{}, { permanent: true }, { permanent: false }, { statusCode: 302 }]) }));
  const headers = some(3, () => ({ source: pick(SOURCES), headers: [{ key: pick(["X-Robots-Tag", "x-robots-tag"]), value: pick(VALUES) }] }));
  if (redirects.length > 0) config.redirects = redirects;
  if (headers.length > 0) config.headers = headers;
  return config;
}

async function vercel() {
  const { getTransformedRoutes } = load("@vercel/routing-utils");
  console.error = () => {}; // it reports patterns that a later path-to-regexp reads in another way
  return async (config) => {
    const { routes, error } = getTransformedRoutes(structuredClone(config));
    if (error) return null;
    return (page) => {
      let url = slashed(page);
      if (config.cleanUrls) url = url.replace(/\.html$/, "");
      if (config.trailingSlash === false && url !== "/") url = url.replace(/\/$/, "");
      if (config.trailingSlash === true && !/\/$|\.\w+$/.test(url)) url += "/";
      const headers = {};
      for (const route of routes ?? []) {
        if (route.handle) break;
        if (route.has || route.missing) continue;
        const matches = new RegExp(route.src).test(url);
        if (matches && route.status >= 300) return false;
        for (const [name, value] of Object.entries((matches && route.headers) || {})) headers[name.toLowerCase()] = value;
      }
      return !forbids(headers["x-robots-tag"] === undefined ? [] : [headers["x-robots-tag"]]);
    };
  };
}

const HOSTS = {
  "Cloudflare Pages": { oracle: cloudflarePages, env: { CF_PAGES: "1", CF_PAGES_BRANCH: "main" }, make: rulesFiles(PATHS) },
  Netlify: {
    oracle: netlify,
    env: { NETLIFY: "true", CONTEXT: "production", URL: site },
    make: rulesFiles(PATHS.filter((name) => !MIXED_UP.includes(name))),
  },
  Vercel: { oracle: vercel, env: { VERCEL: "1", VERCEL_ENV: "production" }, make: vercelConfig },
};

const tmp = fs.mkdtempSync(path.join(os.tmpdir(), "hosts-"));
const output = path.join(tmp, "public");
for (const page of PAGES) {
  fs.mkdirSync(path.dirname(path.join(output, page)), { recursive: true });
  fs.writeFileSync(path.join(output, page), `<!doctype html><title>${page}</title><p>${page}</p>\n`);
}

function verdicts(env) {
  const args = ["explain", "--json", "--base-url", `${site}/`, "-o", "public", tmp];
  const options = { cwd: tmp, env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent", ...env }, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
  let text;
  try {
    text = execFileSync(waypost, args, options);
  } catch (error) {
    text = error.stdout;
  }
  const pages = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return new Map(pages.map((page) => [page.file, page]));
}

let [passed, failed] = [0, 0];
for (const [host, { oracle, env, make }] of Object.entries(HOSTS)) {
  const serve = await oracle(tmp);
  let wrong = 0;
  for (let number = 0; number < Number(count); number += 1) {
    const files = make();
    const isListed = await serve(files);
    if (isListed === null) continue;
    if (make === vercelConfig) fs.writeFileSync(path.join(tmp, "vercel.json"), JSON.stringify(files));
    else for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(output, name), text);
    const got = verdicts(env);
    for (const page of PAGES) {
      const [mine, theirs] = [got.get(page), await isListed(page)];
      // Copies of a page are a matter of the pages' content, and a page that the host redirects to
      // another form of its URL is listed there.
      const moved = mine?.listed && slashed(page) !== decodeURI(new URL(mine.url).pathname);
      if (mine?.listed === theirs || mine?.reason === "canonical-duplicate" || (moved && env.NETLIFY)) passed += 1;
      else {
        wrong += 1;
        console.log(`FAILED ${host} ${page}: waypost says ${mine?.listed ? "listed" : mine?.reason}, the host the opposite: ${JSON.stringify(files)}`);
      }
    }
  }
  for (const name of ["_headers", "_redirects"]) fs.rmSync(path.join(output, name), { force: true });
  failed += wrong;
  console.log(`${host}: ${count} configurations, ${wrong} verdicts differ`);
}
fs.rmSync(tmp, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
