// Vercel: `@vercel/routing-utils` turns `vercel.json` into routes. Here they are applied in the order
// of Vercel's documentation: redirects and headers come before the files, rewrites after them.

// Sources with percent-encoding are not compared: the package does not decode them.

import { PAGES, cleanAndSlash, slashed, withoutExtension, withoutSlash } from "./pages.mjs";
import { below, chance, pick, some } from "./random.mjs";
import { VALUES } from "./rules_files.mjs";

// Most are of the kinds that waypost reads. The host is asked without the rules of other kinds.
const SOURCES = [
  "/about", "/about.html", "/about/", "/blog/a", "/blog/a/", "/blog/", "/blog", "/shop", "/shop/", "/shop.html", "/case/page.html", "/Case/Page",
  "/index.html", "/", "/docs/x", "/docs/x.html", "/old.html", "/tags/t/", "/de", "/de/", "/de/about",
  "/(.*)", "/blog/(.*)", "/blog(.*)", "/:path(.*)", "/blog/:path(.*)", "/a:rest(.*)", "/:path*", "/blog/:path*", "/de/:x*", "/Case/:p*", "/tags/t/:x*",
  "/blog/:slug", "/((?!blog|docs).*)", "/docs/:path+", "/(about|old)\\.html", "/:p.html", "/blog{/:y}?/a", "/:file*.html", "/:lang(de|fr)/:path*",
];
const DESTINATIONS = ["/", "/about", "/blog/a", "/docs/", "https://example.net/", "/new/:splat", "/$1", "/:path*", "/:p", "https://example.org/x"];
const CONDITIONS = [{ has: [{ type: "cookie", key: "a" }] }, { missing: [{ type: "header", key: "x-preview" }] }, { has: [{ type: "host", value: "example.org" }] }];

const conditions = () => (chance(0.1) ? pick(CONDITIONS) : {});
/** Whether waypost reads a rule: it has a literal path, or one that ends in a wildcard, and no condition. */
const isRead = ({ source, has, missing }) => !has && !missing && /^(?=\/)[^(){}:\\*+?]*(:\w+\(\.\*\)|\(\.\*\)|\/:\w+\*)?$/.test(source);
const statuses = () => pick([{}, { permanent: true }, { permanent: false }, { statusCode: 302 }, { statusCode: 307 }]);
const redirect = () => ({ source: pick(SOURCES), destination: pick(DESTINATIONS), ...statuses(), ...conditions() });
const header = () => ({ key: pick(["X-Robots-Tag", "x-robots-tag", "X-Frame-Options"]), value: pick(VALUES) });
const headers = () => ({ source: pick(SOURCES), headers: [header(), ...some(1, header)], ...conditions() });

const composed = () => {
  const config = {};
  if (chance(0.5)) config.cleanUrls = chance(0.7);
  if (chance(0.5)) config.trailingSlash = chance(0.5);
  const [redirects, all, rewrites] = [some(2, redirect), some(3, headers), some(1, () => ({ source: pick(SOURCES), destination: pick(DESTINATIONS) }))];
  if (redirects.length > 0) config.redirects = redirects;
  if (all.length > 0) config.headers = all;
  if (rewrites.length > 0) config.rewrites = rewrites;
  return config;
};

const mutated = (config) => {
  for (let change = below(3); change >= 0; change -= 1) {
    pick([
      () => { config.cleanUrls = chance(0.5); },
      () => { config.trailingSlash = chance(0.5); },
      () => { config.redirects = [...(config.redirects ?? []), redirect()]; },
      () => { config.headers = [headers(), ...(config.headers ?? [])]; },
      () => { for (const rule of config.redirects ?? []) if (chance(0.5)) rule.source = pick(SOURCES); },
      () => { for (const rule of config.headers ?? []) if (chance(0.5)) rule.source = pick(SOURCES); },
    ])();
  }
  return config;
};

/** The file that Vercel serves for a path. */
const fileOf = (encoded, { cleanUrls }) => {
  const url = decodeURIComponent(encoded);
  const bare = url.replace(/^\//, "").replace(/\/$/, "");
  const [clean, index] = [cleanUrls ? [`${bare}.html`] : [], bare === "" ? "index.html" : `${bare}/index.html`];
  const names = url.endsWith("/") ? [index, ...clean] : [...clean, url.slice(1), index];
  return names.find((file) => PAGES.includes(file));
};

const urlOf = ({ cleanUrls, trailingSlash }) => (page) => {
  let url = slashed(page);
  if (cleanUrls) url = withoutExtension(url);
  if (trailingSlash === false || (cleanUrls && trailingSlash === undefined && url.endsWith("/") === false)) url = withoutSlash(url);
  if (trailingSlash === true && !/(\/|\.\w+)$/.test(url)) url += "/";
  return url;
};

export const vercel = {
  environment: { VERCEL: "1", VERCEL_ENV: "production" },
  forms: () => cleanAndSlash().map((config) => ({ "../vercel.json": JSON.stringify(config) })),
  make(cases) {
    const config = chance(0.6) ? composed() : mutated(JSON.parse(pick(cases)["vercel.json"]));
    return { "../vercel.json": JSON.stringify(config) };
  },
  async oracle({ load }) {
    const { getTransformedRoutes } = load("@vercel/routing-utils");
    console.error = () => {}; // it reports patterns that a later path-to-regexp reads in another way
    return (files) => {
      const config = JSON.parse(files["../vercel.json"]);
      if (getTransformedRoutes(structuredClone(config)).error) return null;
      for (const key of ["redirects", "headers"]) if (config[key]) config[key] = config[key].filter(isRead);
      const { routes } = getTransformedRoutes(structuredClone(config));
      const phase = (routes ?? []).slice(0, (routes ?? []).findIndex((route) => route.handle) >>> 0);
      const compiled = phase.map((route) => ({ ...route, pattern: new RegExp(route.src) }));
      const fetch = (encoded) => {
        const url = decodeURI(encoded);
        const headers = {};
        for (const route of compiled) {
          if (!route.pattern.test(url)) continue;
          if (route.status >= 300) return { status: route.status, page: null, location: route.headers?.Location, robots: [] };
          for (const [name, value] of Object.entries(route.headers ?? {})) headers[name.toLowerCase()] = value;
        }
        const page = fileOf(encoded, config);
        const robots = headers["x-robots-tag"] === undefined ? [] : [headers["x-robots-tag"]];
        return { status: page ? 200 : 404, page, robots };
      };
      return { fetch, urlOf: urlOf(config) };
    };
  },
};
