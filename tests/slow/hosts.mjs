// Compares waypost's verdicts with those of the hosts' own code, for random configurations.
//
// usage: node hosts.mjs MODULES LISTINGS CASES [--count N] [--names N] [--seed N] [--host NAME] [--start N]
//
// MODULES is a node_modules directory made by hosts.sh, LISTINGS the built hosts/listings.rs, CASES
// the directory of the recorded cases. Each configuration has its own seed, so that
// `--start N --count 1` repeats configuration N. The last line is `N passed, M failed`, one per page
// and configuration.
//
// Then N names of pages are compared for each host, with all settings of the form of URLs, each page as
// if it were the only one.
//
// A listed page passes if the host serves it under the listed URL with status 200 and lets search
// engines index it; an excluded page if the host does not, under the URL that it has there.

import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { parseArgs } from "node:util";

import { pages as cloudflarePages, workers } from "./hosts/cloudflare.mjs";
import { firebase, firebaseForms } from "./hosts/firebase.mjs";
import { netlify } from "./hosts/netlify.mjs";
import { names, possiblePaths } from "./hosts/names.mjs";
import { forbids, PAGES, setPages } from "./hosts/pages.mjs";
import { seed } from "./hosts/random.mjs";
import { vercel } from "./hosts/vercel.mjs";

// Sites that exist at the same time. They are listed in one process while the oracle judges them.
const BATCH = 50;
// Pages of a site with random names.
const SITE_PAGES = 500;
// Differences printed per host.
const SHOWN = 20;

const HOSTS = {
  "Cloudflare Pages": { ...cloudflarePages, cases: "cloudflare-pages.json" },
  "Cloudflare Workers": { ...workers, cases: "cloudflare-pages.json" },
  Netlify: { ...netlify, cases: "netlify.json" },
  Vercel: { ...vercel, cases: "vercel.json" },
  "Firebase Hosting, forms of URLs": { ...firebaseForms },
  "Firebase Hosting": { ...firebase, cases: "firebase.json" },
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "300" },
    names: { type: "string", default: "600" },
    seed: { type: "string", default: "1" },
    start: { type: "string", default: "0" },
    host: { type: "string" },
  },
});
const [modules, listings, caseDir] = positionals;
const [count, start] = [Number(options.count), Number(options.start)];
const tmp = fs.mkdtempSync(path.join(os.tmpdir(), "hosts-"));
const context = { load: createRequire(path.join(modules, "hosts.js")), tmp };

/** The program that lists sites, asked in batches. */
const lister = () => {
  const child = spawn(listings, { env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent" }, stdio: ["pipe", "pipe", "inherit"] });
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = (requests) => child.stdin.write(requests.map((request) => JSON.stringify(request) + "\n").join(""));
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${listings} stopped`);
    return JSON.parse(value);
  };
  return { ask, next, end: () => child.stdin.end() };
};

const writePages = (dir, pages) => {
  for (const page of pages) {
    const file = path.join(dir, "public", page);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, `<!doctype html><title>${page}</title><p>${page}</p>\n`);
  }
};

const makeSites = () =>
  Array.from({ length: BATCH }, (_, number) => {
    const dir = path.join(tmp, String(number));
    writePages(dir, PAGES);
    return dir;
  });

const CONFIG_FILES = ["_headers", "_redirects", "../netlify.toml", "../vercel.json", "../firebase.json", "../wrangler.jsonc"];

const writeFiles = (dir, files) => {
  for (const name of CONFIG_FILES) {
    const file = path.join(dir, "public", name);
    if (files[name] === undefined) fs.rmSync(file, { force: true });
    else fs.writeFileSync(file, files[name]);
  }
};

/** What the URLs of shop.html and shop/index.html have in common. */
const stem = (file) => (file ?? "").replace(/(\/index)?\.html$/, "");

/** What the host answers, or null if its code fails, as Cloudflare's does for the header `!Name`. */
const answerOf = async (fetch, url) => {
  try {
    return await fetch(url);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

/** The reason why a verdict is wrong, or null. */
const difference = async (page, mine, others, { fetch, urlOf }) => {
  if (mine === undefined) return "waypost does not know the page";
  // Of two files with one URL, such as shop.html and shop/index.html, waypost lists at most one, also
  // where the host serves the other under an unusual URL. Which of them has the URL is not compared.
  const claimants = others.filter(({ url }) => url === mine.url).map(({ file }) => file);
  if (mine.reason === "canonical-duplicate" || (mine.reason !== null && claimants.length > 1)) return null;
  const url = mine.reason === null ? new URL(mine.url).pathname : urlOf(page);
  const answer = await answerOf(fetch, url);
  if (answer === null) return null;
  const isCopy = mine.reason === null && [page, ...claimants].some((file) => stem(file) === stem(answer.page));
  const isOwn = answer.page === page || isCopy;
  const isServed = answer.status === 200 && isOwn && !forbids(answer.robots);
  if (isServed === (mine.reason === null)) return null;
  const theirs = `${answer.status} ${answer.page ?? answer.location ?? ""} ${answer.robots}`.trim();
  return `waypost: ${mine.reason ?? "listed"}, ${mine.url}; the host for ${url}: ${theirs}`;
};

const compare = async (name, host, sites, list) => {
  const load = await host.oracle(context);
  const cases = host.cases ? JSON.parse(fs.readFileSync(path.join(caseDir, host.cases), "utf8")).cases : [];
  const result = { passed: 0, wrong: 0, judged: 0 };
  const fail = (text) => {
    result.wrong += 1;
    if (result.wrong <= SHOWN) console.log(`FAILED ${name}: ${text}`);
  };
  for (let first = start; first < start + count; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, start + count - first) }, (_, number) => first + number);
    const made = numbers.map((number) => {
      seed(Number(options.seed), number);
      return { number, dir: sites[number - first], files: host.make(cases) };
    });
    for (const { dir, files } of made) writeFiles(dir, files);
    list.ask(made.map(({ dir }) => ({ dir, environment: host.environment })));
    for (const { number, dir, files } of made) {
      const [server, { pages, error }] = [await load(files), await list.next()];
      if (server === null) continue; // the host rejects the configuration
      result.judged += 1;
      if (error !== undefined) {
        fail(`configuration ${number}: ${error}`);
        continue;
      }
      const listed = new Map(pages.map((page) => [page.file, page]));
      for (const page of PAGES) {
        let reason = await difference(page, listed.get(page), pages, server);
        if (reason !== null && host.isIsolated) {
          const alone = await (await host.oracle(context))(files);
          reason = await difference(page, listed.get(page), pages, alone);
        }
        if (reason === null) result.passed += 1;
        else fail(`configuration ${number}, ${page}: ${reason}: ${JSON.stringify(files)}`);
      }
    }
  }
  return result;
};

// Reasons that have nothing to do with the URL of a page alone.
const OTHER_REASONS = ["canonical-duplicate", "error-page", "url-too-long"];

/** The reason why the URL of a page is wrong, or null. */
const formDifference = async (page, mine, { fetch }, { _redirects }) => {
  if (mine === undefined) return "waypost does not know the page";
  if (OTHER_REASONS.includes(mine.reason)) return null;
  setPages([page]);
  const isServedAt = async (path) => {
    const { status, page: answer } = await fetch(path);
    return status === 200 && answer === page;
  };
  const own = new URL(mine.url).pathname;
  if (mine.reason === null) return (await isServedAt(own)) ? null : `listed as ${mine.url}: ${JSON.stringify(await fetch(own))}`;
  // A rule excludes only the URL that it is for.
  for (const path of _redirects ? [own] : possiblePaths(page)) {
    if (await isServedAt(path)) return `excluded (${mine.reason}), but served at ${path}`;
  }
  return null;
};

/** Compares the URLs of random names, for all settings of the form. */
const compareForms = async (name, host, list) => {
  const load = await host.oracle(context);
  const [configs, usual] = [host.forms(), PAGES];
  const result = { passed: 0, wrong: 0, listed: 0 };
  for (const [number, config] of configs.entries()) {
    for (let first = 0; first < options.names / configs.length; first += SITE_PAGES) {
      seed(Number(options.seed), number * 1000 + first);
      const pages = names(Math.min(SITE_PAGES, Math.ceil(options.names / configs.length) - first));
      const dir = fs.mkdtempSync(path.join(tmp, "names-"));
      writePages(dir, pages);
      const files = { _headers: "", _redirects: "", ...(typeof config === "function" ? config(pages) : config) };
      writeFiles(dir, files);
      list.ask([{ dir, environment: host.environment }]);
      const [server, listed] = [await load(files), await list.next()];
      if (listed.error !== undefined) throw new Error(listed.error);
      const known = new Map(listed.pages.map((page) => [page.file, page]));
      result.listed += listed.pages.filter((page) => page.reason === null).length;
      for (const page of pages) {
        const reason = await formDifference(page, known.get(page), server, files);
        if (reason === null) result.passed += 1;
        else {
          result.wrong += 1;
          if (result.wrong <= SHOWN) console.log(`FAILED ${name}: \`${page}\` ${reason}: ${JSON.stringify({ ...files, _redirects: undefined })}`);
        }
      }
      setPages(usual);
      fs.rmSync(dir, { recursive: true });
    }
  }
  return result;
};

let [passed, failed] = [0, 0];
const list = lister();
const sites = makeSites();
for (const [name, host] of Object.entries(HOSTS)) {
  if (options.host && !name.toLowerCase().includes(options.host.toLowerCase())) continue;
  const result = await compare(name, host, sites, list);
  passed += result.passed;
  failed += result.wrong;
  console.log(`${name}: ${count} configurations, of which the host accepts ${result.judged}; ${result.wrong} verdicts differ`);
  if (!host.forms) continue;
  const forms = await compareForms(name, host, list);
  passed += forms.passed;
  failed += forms.wrong;
  console.log(`${name}: ${forms.passed + forms.wrong} names, of which ${forms.listed} are listed; ${forms.wrong} URLs differ`);
}
list.end();
fs.rmSync(tmp, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
