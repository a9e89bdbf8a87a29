// Cloudflare Pages and Workers: wrangler's parsers, the asset server of `@cloudflare/pages-shared`
// and the asset worker of `@cloudflare/workers-shared`.

import fs from "node:fs";
import path from "node:path";

import { rulesFiles } from "./rules_files.mjs";
import { PAGES, SITE } from "./pages.mjs";
import { chance, pick } from "./random.mjs";

const HTML_HANDLING = ["auto-trailing-slash", "force-trailing-slash", "drop-trailing-slash", "none"];
const NOT_FOUND = ["none", "404-page", "single-page-application"];
const LOGGER = { debug() {}, log() {}, info() {}, warn() {}, error() {} };

// The sources of workers-shared are in wrangler's bundle, each after a comment with its path.
const wranglerParsers = (load) => {
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
  const lazy = (parts) => {
    const [run] = Object.values(parts);
    let ran = false;
    return () => {
      if (!ran) {
        ran = true;
        run();
      }
    };
  };
  const make = new Function("__esm", "__name", "init_import_meta_url", "path3", `${text}\n${construct.join("\n")}\n${setUp}\nreturn ${names};`);
  return make(lazy, (value) => value, () => {}, path);
};

const metadataOf = (parsers, { _headers, _redirects }) => ({
  ...parsers.constructRedirects({ redirects: parsers.parseRedirects(_redirects), redirectsFile: "_redirects", logger: LOGGER }),
  ...parsers.constructHeaders({ headers: parsers.parseHeaders(_headers), headersFile: "_headers", logger: LOGGER }),
});

/** Makes esbuild read the TypeScript in the source map of the published asset worker. */
const sourceMap = (load, aliases = {}) => {
  const map = JSON.parse(fs.readFileSync(load.resolve("@cloudflare/workers-shared/dist/asset-worker.mjs.map"), "utf8"));
  const contents = new Map(map.sources.map((name, number) => [name, map.sourcesContent[number]]));
  return {
    name: "source-map",
    setup(build) {
      build.onResolve({ filter: /rules-engine$/ }, ({ namespace, ...rest }) =>
        namespace === "map" ? inMap(rest) : { path: "../asset-worker/src/utils/rules-engine.ts", namespace: "map" });
      build.onResolve({ filter: /./, namespace: "map" }, inMap);
      build.onLoad({ filter: /./, namespace: "map" }, ({ path: name }) => ({ contents: aliases[name] ?? contents.get(name) ?? "export {}", loader: "ts" }));
    },
  };
  function inMap({ path: name, importer }) {
    const joined = path.posix.join("/", path.posix.dirname(importer.replace("../", "")), name).slice(1);
    return { path: `../${joined}.ts`, namespace: "map" };
  }
};

const bundle = async (load, tmp, name, options) => {
  const outfile = path.join(tmp, `${name}.mjs`);
  await load("esbuild").build({ bundle: true, format: "esm", outfile, logLevel: "error", ...options });
  return import(outfile);
};

/** What a response of Cloudflare's code says about a URL. Tags of pages are headers, so names are encoded. */
const answer = async (response) => {
  const value = response.headers.get("x-robots-tag");
  const page = response.status === 200 ? decodeURIComponent(await response.text()) : null;
  return { status: response.status, page, location: response.headers.get("location"), robots: value === null ? [] : [value] };
};

/** The URL at which the host serves a page without rules: the one that its own redirects end at. */
const settled = async (fetch, page) => {
  let url = encodeURI("/" + page);
  for (let hops = 0; hops < 3; hops += 1) {
    const { status, location } = await fetch(url);
    if (status < 300 || status >= 400) break;
    url = new URL(location, SITE).pathname;
  }
  return url;
};

export const pages = {
  environment: { CF_PAGES: "1", CF_PAGES_BRANCH: "main" },
  forms: () => [{}],
  make: (cases) => rulesFiles(cases),
  async oracle({ load, tmp }) {
    const parsers = wranglerParsers(load);
    const handler = path.join(path.dirname(load.resolve("@cloudflare/pages-shared/package.json")), "asset-server/handler.ts");
    const aliases = { "../asset-worker/src/handler.ts": "export const REDIRECTS_VERSION = 1;" };
    const { generateHandler } = await bundle(load, tmp, "pages", { entryPoints: [handler], plugins: [sourceMap(load, aliases)] });
    const server = (metadata) => async (url) =>
      answer(await generateHandler({
        request: new Request(new URL(url, SITE)),
        metadata,
        logError() {},
        findAssetEntryForPath: async (name) => (PAGES.includes(name.slice(1)) ? name.slice(1) : null),
        getAssetKey: encodeURIComponent,
        negotiateContent: () => ({ encoding: null }),
        fetchAsset: async (key) => ({ body: key, contentType: "text/html" }),
        generateNotFoundResponse: async () => new Response(null, { status: 404 }),
      }));
    const bare = server(metadataOf(parsers, { _headers: "", _redirects: "" }));
    const urls = new Map(await Promise.all(PAGES.map(async (page) => [page, await settled(bare, page)])));
    return (files) => ({ fetch: server(metadataOf(parsers, files)), urlOf: (page) => urls.get(page) });
  },
};

export const workers = {
  environment: { WORKERS_CI: "1", WORKERS_CI_BRANCH: "main" },
  forms: () => HTML_HANDLING.map((html_handling) => ({ "../wrangler.jsonc": JSON.stringify({ name: "site", assets: { directory: "./public", html_handling } }) })),
  make(cases) {
    const assets = { directory: "./public" };
    if (chance(0.9)) assets.html_handling = pick(HTML_HANDLING);
    if (chance(0.5)) assets.not_found_handling = pick(NOT_FOUND);
    return { ...rulesFiles(cases), "../wrangler.jsonc": JSON.stringify({ name: "site", assets }) };
  },
  async oracle({ load, tmp }) {
    const parsers = wranglerParsers(load);
    const stdin = { contents: 'export { handleRequest } from "handler"; export { normalizeConfiguration } from "configuration";', loader: "ts" };
    const entry = {
      name: "entry",
      setup(build) {
        build.onResolve({ filter: /^(handler|configuration)$/ }, ({ path: name }) => ({ path: `../asset-worker/src/${name}.ts`, namespace: "map" }));
      },
    };
    const { handleRequest, normalizeConfiguration } = await bundle(load, tmp, "workers", { stdin, plugins: [entry, sourceMap(load)] });
    const span = { setTags() {}, addLogs() {} };
    const env = { JAEGER: { enterSpan: (_, run) => run(span) } };
    const exists = async (name) => (PAGES.includes(name.slice(1)) ? encodeURIComponent(name.slice(1)) : null);
    const byTag = async (tag) => ({ readableStream: tag, contentType: "text/html", cacheStatus: "HIT" });
    const server = (configuration) => async (url) =>
      answer(await handleRequest(new Request(new URL(url, SITE)), env, configuration, exists, byTag, { setData() {} }));
    const urls = new Map();
    for (const html_handling of HTML_HANDLING) {
      const bare = server(normalizeConfiguration({ html_handling }));
      for (const page of PAGES) urls.set(html_handling + page, await settled(bare, page));
    }
    return (files) => {
      const { assets } = JSON.parse(files["../wrangler.jsonc"]);
      const configuration = normalizeConfiguration({ ...assets, ...metadataOf(parsers, files) });
      return { fetch: server(configuration), urlOf: (page) => urls.get(configuration.html_handling + page) };
    };
  },
};
