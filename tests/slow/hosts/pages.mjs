// The pages of every site, and the forms of their URLs.

export const SITE = "https://example.org";

export let PAGES = [
  "index.html", "about.html", "blog/index.html", "blog/a/index.html", "blog/b/index.html", "docs/x.html", "old.html",
  "tags/t/index.html", "de/index.html", "de/about.html", "sp ace/ü.html", "shop.html", "shop/index.html", "Case/Page.html",
];

/** Replaces the pages that the hosts have. */
export const setPages = (pages) => {
  PAGES = pages;
};

/** The URL's path with a directory's slash and with `.html`, percent-encoded. */
export const slashed = (page) => encodeURI("/" + page.replace(/(^|\/)index\.html$/, "$1"));
export const withoutExtension = (path) => path.replace(/\.html$/, "");
export const withoutSlash = (path) => (path === "/" ? path : path.replace(/\/$/, ""));

/** All values of `cleanUrls` and `trailingSlash`. */
export const cleanAndSlash = () =>
  [undefined, true].flatMap((cleanUrls) => [undefined, true, false].map((trailingSlash) => ({ cleanUrls, trailingSlash })));

/** Whether the values of X-Robots-Tag keep Google's crawlers from indexing. */
export const forbids = (values) => {
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
  const forbidding = (name) => (rules.get(name) ?? []).some((rule) => rule === "noindex" || rule === "none");
  return ["robots", "googlebot"].some(forbidding);
};
