// Firebase Hosting: `superstatic`, the server of its emulator.

import http from "node:http";
import { Readable, Writable } from "node:stream";

import { PAGES, SITE, cleanAndSlash, slashed } from "./pages.mjs";
import { below, chance, pick, some } from "./random.mjs";
import { VALUES } from "./rules_files.mjs";

// Most are of the kinds that waypost reads. The host is asked without the rules of other kinds.
const GLOBS = [
  "/about", "/about.html", "/about/", "about", "/blog", "/blog/", "/blog/a", "/blog/a/", "/docs/x", "/docs/x.html", "/shop", "/shop/", "/shop.html",
  "/", "/sp ace/ü", "/sp%20ace/%C3%BC", "/case/page", "/Case/Page.html", "/tags/t", "/a:b",
  "**", "/**", "/blog/**", "/de/**", "de/**", "/about/**", "/Case/**", "/blog/a/**",
  "/blog/*", "*", "**/*.html", "/@(about|old)", "!/blog/**", "/{de,docs}/**", "/:p*", "/blog/:slug", "/tags/?/", "/**/a/**",
];
const DESTINATIONS = ["/", "/about", "https://example.net/", "/blog/a", "/docs/x", "/shop/", "/new/:slug", "/:p", ":p"];
/** Whether waypost reads a rule: its path is literal or ends in `**`, and its destination has no parameters. */
const isRead = ({ source, destination = "" }) => {
  if (source === undefined || /^:|\/:/.test(destination)) return false;
  const path = `/${source.replace(/^\/+/, "")}`;
  return !/[*?[{(\\!]|\/\//.test(path.replace(/\/\*\*$/, "/"));
};

const source = () => (chance(0.05) ? { regex: "^/(?:de|fr)/(.*)$" } : { source: pick(GLOBS) });
const redirect = () => ({ ...source(), destination: pick(DESTINATIONS), type: pick([301, 302, undefined]) });
const headers = () => ({ ...source(), headers: [{ key: pick(["X-Robots-Tag", "x-robots-tag"]), value: pick(VALUES) }] });

const make = (rules) => {
  const hosting = { public: "public" };
  if (chance(0.6)) hosting.cleanUrls = chance(0.7);
  if (chance(0.6)) hosting.trailingSlash = chance(0.5);
  if (rules) {
    const [redirects, all] = [some(2, redirect), some(3, headers)];
    if (redirects.length > 0) hosting.redirects = redirects;
    if (all.length > 0) hosting.headers = all;
  }
  return { "../firebase.json": JSON.stringify({ hosting }) };
};

const mutated = (text) => {
  const { hosting } = JSON.parse(text);
  for (let change = below(3); change >= 0; change -= 1) {
    pick([
      () => { hosting.cleanUrls = chance(0.5); },
      () => { hosting.trailingSlash = chance(0.5); },
      () => { hosting.redirects = [...(hosting.redirects ?? []), redirect()]; },
      () => { hosting.headers = [headers(), ...(hosting.headers ?? [])]; },
      () => { for (const rule of hosting.redirects ?? []) if (chance(0.5)) rule.destination = pick(DESTINATIONS); },
    ])();
  }
  return { "../firebase.json": JSON.stringify({ hosting }) };
};

/** Finds a page as superstatic's provider of files does. */
const provider = async (_, url) => {
  const path = decodeURI(url);
  if (/\.\.[/\\]|\.\.%5c/i.test(path)) return null;
  const page = path.slice(1);
  return PAGES.includes(page) ? { stream: Readable.from([page]), size: Buffer.byteLength(page), etag: encodeURIComponent(page), modified: null } : null;
};

/** Passes a request to a router without a network. */
const respond = (router, url) =>
  new Promise((resolve, reject) => {
    const request = Object.assign(new http.IncomingMessage(null), { url, method: "GET", headers: { host: "example.org" } });
    const response = new http.ServerResponse(request);
    const chunks = [];
    response.assignSocket(new Writable({ write: (chunk, _, done) => { chunks.push(chunk); done(); } }));
    response.on("finish", () => {
      const body = Buffer.concat(chunks).toString().split("\r\n\r\n").slice(1).join("");
      const robots = response.getHeader("x-robots-tag");
      const page = response.statusCode === 200 ? PAGES.find((name) => body.includes(name) && body.replace(/^[\da-f]+\r\n|\r\n[\s\S]*$/g, "") === name) : null;
      const location = response.getHeader("location");
      resolve({ status: response.statusCode, page, location, robots: robots === undefined ? [] : [robots] });
    });
    router(request, response, (error) => (error ? reject(error) : resolve({ status: 404, page: null, robots: [] })));
  });

const settled = async (router, page) => {
  let url = slashed(page);
  for (let hops = 0; hops < 3; hops += 1) {
    const { status, location } = await respond(router, url);
    if (status < 300 || status >= 400) break;
    url = new URL(location, SITE).pathname;
  }
  return url;
};

const oracle = async ({ load }) => {
  const superstatic = load("superstatic/lib/superstatic.js");
  const { log } = console;
  console.log = (text, ...rest) => { if (!/is not a recognized responder directive/.test(text)) log(text, ...rest); }; // an empty destination
  const serve = (config) => superstatic({ config, provider, stack: "strict" });
  return async (files) => {
    const { hosting } = JSON.parse(files["../firebase.json"]);
    for (const key of ["redirects", "headers"]) if (hosting[key]) hosting[key] = hosting[key].filter(isRead);
    const bare = serve({ cleanUrls: hosting.cleanUrls, trailingSlash: hosting.trailingSlash });
    const urls = new Map(await Promise.all(PAGES.map(async (page) => [page, await settled(bare, page)])));
    const router = serve(structuredClone(hosting));
    return { fetch: (url) => respond(router, url), urlOf: (page) => urls.get(page) };
  };
};

/** The forms of URLs. */
export const firebaseForms = {
  environment: {},
  forms: () => cleanAndSlash().map((config) => ({ "../firebase.json": JSON.stringify({ hosting: { public: "public", ...config } }) })),
  make: () => make(false),
  oracle,
};

/** Redirects and headers as well. */
export const firebase = {
  environment: {},
  make: (cases) => (chance(0.7) ? make(true) : mutated(pick(cases)["firebase.json"])),
  oracle,
};
