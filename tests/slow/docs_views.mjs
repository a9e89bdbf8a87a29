// Opens pages of the book in Chromium, on a desktop and a phone, light and dark, and checks them with axe-core. Then searches.
//
// usage: docs_views.mjs MODULES CHROMIUM URL
//
// MODULES has puppeteer-core and axe-core, URL is that of the book. Prints a JSON array of the problems.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, executablePath, url] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const PAGES = ["index", "start", "questions", "comparison", "guides/index", "hosts/netlify", "reference/settings", "findings/reasons", "findings/pages"];
const WIDTHS = [1280, 390];
const problems = [];

async function look(browser, name, width, scheme) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => problems.push(`${name}: ${error}`));
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(`${url}${name}.html`, { waitUntil: "networkidle0" });
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run());
  for (const { id, nodes } of violations) {
    problems.push(`${name}, ${width} px, ${scheme}: ${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (overflow > 0) problems.push(`${name}: the page is ${overflow} px wider than the screen`);
  await page.close();
}

async function search(browser, term, expected) {
  const page = await browser.newPage();
  await page.goto(`${url}index.html?search=${term}`, { waitUntil: "networkidle0" });
  const selector = `#mdbook-searchresults a[href*="${expected}"]`;
  await page.waitForSelector(selector, { timeout: 10000 }).catch(() => problems.push(`a search for ${term} does not find ${expected}`));
  await page.close();
}

const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  for (const name of PAGES) {
    for (const width of WIDTHS) {
      for (const scheme of ["light", "dark"]) await look(browser, name, width, scheme);
    }
  }
  await search(browser, "canonical-not-listed", "findings/pages.html");
} finally {
  await browser.close();
}
console.log(JSON.stringify(problems));
