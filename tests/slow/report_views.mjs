// Opens a report in Chromium as people see it: on a desktop and a phone, light and dark, and without JavaScript. Checks
// each view with axe-core, that nothing is wider than the screen, and that the report shows the pages.
//
// usage: report_views.mjs MODULES CHROMIUM REPORT PAGES [DIRECTORY]
//
// MODULES has puppeteer-core and axe-core, PAGES what `waypost explain --json` printed. With a DIRECTORY, a screenshot
// of each view is written there. Prints each failed check, then 'N passed, M failed'.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, executablePath, report, explained, screenshots] = process.argv.slice(2);
const pages = readFileSync(explained, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const require = createRequire(join(modules, "package.json"));
const puppeteer = require("puppeteer-core");
const axe = require.resolve("axe-core/axe.min.js");

const WIDTHS = { desktop: 1280, phone: 390 };
let [passed, failed] = [0, 0];

function check(holds, what) {
  if (holds) passed += 1;
  else {
    failed += 1;
    console.log(`FAILED ${what}`);
  }
}

// The Content-Security-Policy of the report stays in force: axe-core is evaluated from outside the page.
async function violations(page) {
  await page.evaluate(readFileSync(axe, "utf8"));
  const { violations } = await page.evaluate(() => axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
}

async function view(browser, name, { width, scheme, scripted }) {
  const page = await browser.newPage();
  const errors = [];
  const requests = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (said) => said.type() === "error" && errors.push(said.text()));
  page.on("request", (request) => requests.push(request.url()));
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setJavaScriptEnabled(scripted);
  await page.goto(pathToFileURL(report).href);
  if (scripted) {
    check(await page.evaluate(() => document.documentElement.dataset.drawn === "yes"), `${name}: the script runs completely`);
    for (const open of [true, false]) {
      await page.evaluate((open) => document.querySelectorAll("details").forEach((one) => { one.open = open; }), open);
      await new Promise((resolve) => setTimeout(resolve, 100));
      const found = await violations(page);
      check(found.length === 0, `${name}, details ${open ? "open" : "closed"}: ${found.join("; ")}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(overflow <= 0, `${name}: the page is ${overflow} px wider than the screen`);
    }
  } else {
    const shown = await page.$$eval("main > section", (all) => all.filter((one) => one.offsetHeight > 0).map((one) => one.innerText));
    for (const title of ["Pages by reason", "When listed pages last changed", "Findings"]) {
      check(shown.some((text) => text.startsWith(title) && text.length > title.length + 10), `${name}: "${title}" has facts`);
    }
    check(!shown.some((text) => text.startsWith("All pages")), `${name}: nothing that needs the script is shown`);
  }
  check(errors.length === 0, `${name}: ${errors.join("; ")}`);
  check(requests.every((url) => /^(file|data):/.test(url)), `${name}: requests ${requests.join(" ")}`);
  if (screenshots) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
  await page.close();
}

// What the report shows of the pages, and of a search in its URL.
async function shown(browser) {
  const page = await browser.newPage();
  const counted = async (search) => {
    await page.goto("about:blank");
    await page.goto(pathToFileURL(report).href + search);
    return page.$eval("#count", (count) => count.textContent);
  };
  const sorted = (values) => JSON.stringify([...values].sort());
  const values = (selector, name) => page.$$eval(selector, (all, name) => all.map((one) => one.getAttribute(name)), name);
  check((await counted("")) === `${pages.length} pages`, "all pages are counted");
  check((await page.$$("#table tr")).length === pages.length + 1, "each page has a row");
  check(sorted(await values("#table a", "href")) === sorted(pages.map((one) => one.url)), "the links are the URLs of the pages");
  const bars = (await values("[data-filter]", "data-filter")).filter((bar) => !bar.startsWith("undated: "));
  check(sorted(new Set(bars)) === sorted(new Set(pages.map((one) => one.reason ?? "listed"))), "a bar for each reason");
  for (const drawn of ["#histogram span", "#tree details"]) check(await page.$(drawn), `${drawn} is drawn`);
  check((await page.$("img, #hacked, [src]")) === null, "paths and values are not markup, and nothing is loaded");
  const found = pages.filter(({ url, file, source }) => [url, file, source].join(" ").includes("mud")).length;
  check((await counted("#q=mud")) === `${found} page${found === 1 ? "" : "s"}`, "a search finds the matching pages");
  check((await counted("#q=100%")) === "0 pages", "an invalid percent-encoding is used literally");
  await page.close();
}

const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  for (const [device, width] of Object.entries(WIDTHS)) {
    for (const scheme of ["light", "dark"]) {
      await view(browser, `${device}-${scheme}`, { width, scheme, scripted: true });
    }
  }
  await shown(browser);
  await view(browser, "without-script", { width: 1280, scheme: "light", scripted: false });
} finally {
  await browser.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
