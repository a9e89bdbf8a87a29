// Opens pages of the book in Chromium, on a desktop and a phone, light and dark, and checks them with axe-core. Then clicks
// the contents, the theme menu, a copy button and the search, and compares what happens.
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
const PATIENCE = 15000; // milliseconds, which only a failure takes
const problems = [];

async function open(browser, name, width) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => problems.push(`${name}, ${width} px: ${error}`));
  await page.setViewport({ width, height: 900 });
  await page.goto(`${url}${name}.html`, { waitUntil: "networkidle0" });
  return page;
}

async function judge(page, about) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run());
  for (const { id, nodes } of violations) {
    problems.push(`${about}: ${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  }
}

async function look(browser, name, width, scheme) {
  const page = await open(browser, name, width);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.reload({ waitUntil: "networkidle0" });
  await judge(page, `${name}, ${width} px, ${scheme}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (overflow > 0) problems.push(`${name}: the page is ${overflow} px wider than the screen`);
  await page.close();
}

// Waits for a condition in the page, which must hold within seconds.
const becomes = (page, condition, ...values) => page.waitForFunction(condition, { timeout: PATIENCE }, ...values);

// The sidebar is on the screen and can be used, or is off the screen; and nothing moves any more, also not the toggle.
const contentsAre = (page, state) =>
  becomes(page, (state) => {
    const sidebar = document.getElementById("mdbook-sidebar");
    const { left, right, width } = sidebar.getBoundingClientRect();
    const open = width > 100 && left === 0 && !sidebar.inert;
    return (state === "open" ? open : right <= 0) && document.getAnimations().length === 0;
  }, state);

// Clicks a link and waits for the page that it names.
async function follow(page, selector, name) {
  await page.waitForSelector(selector, { visible: true, timeout: PATIENCE });
  await page.click(selector);
  await becomes(page, (name) => location.pathname.endsWith(`/${name}.html`) && document.readyState === "complete", name);
}

const CLICKS = {
  async contents(page, width) {
    const [first, other] = width < 1080 ? ["closed", "open"] : ["open", "closed"];
    await contentsAre(page, first);
    for (const state of [other, first, other, first]) {
      await page.click("#mdbook-sidebar-toggle");
      await contentsAre(page, state);
    }
    if (first === "closed") await page.click("#mdbook-sidebar-toggle");
    await contentsAre(page, "open");
    await judge(page, `open contents, ${width} px`);
    await follow(page, '#mdbook-sidebar a[href$="install.html"]', "install");
  },

  async "theme menu"(page) {
    for (const theme of ["navy", "light"]) {
      await page.click("#mdbook-theme-toggle");
      await page.waitForSelector("#mdbook-theme-list", { visible: true, timeout: PATIENCE });
      await page.click(`#mdbook-theme-${theme}`);
      await becomes(page, (theme) => document.documentElement.classList.contains(theme), theme);
      await page.click("#mdbook-theme-toggle");
      await page.waitForSelector("#mdbook-theme-list", { hidden: true, timeout: PATIENCE });
    }
  },

  async "copy button"(page) {
    await page.hover("main pre > code");
    await page.waitForSelector("main pre .clip-button", { visible: true, timeout: PATIENCE });
    await page.click("main pre .clip-button");
    const shown = await page.$eval("main pre > code", (code) => code.textContent);
    await becomes(page, async (shown) => (await navigator.clipboard.readText()) === shown, shown);
  },

  async highlighting(page) {
    await becomes(page, () => document.querySelector("main pre > code.language-toml span[class^=hljs-]"));
  },

  async search(page) {
    await page.click("#mdbook-search-toggle");
    await page.waitForSelector("#mdbook-searchbar", { visible: true, timeout: PATIENCE });
    await page.type("#mdbook-searchbar", "canonical-not-listed");
    await follow(page, '#mdbook-searchresults a[href*="findings/pages.html"]', "findings/pages");
  },
};

async function click(browser, width) {
  await browser.defaultBrowserContext().overridePermissions(new URL(url).origin, ["clipboard-read", "clipboard-write"]);
  for (const [name, steps] of Object.entries(CLICKS)) {
    const page = await open(browser, "hosts/netlify", width);
    await steps(page, width).catch((error) => problems.push(`${name}, ${width} px: ${error.message}`));
    await page.evaluate(() => localStorage.clear());
    await page.close();
  }
}

const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  for (const name of PAGES) {
    for (const width of WIDTHS) {
      for (const scheme of ["light", "dark"]) await look(browser, name, width, scheme);
    }
  }
  for (const width of WIDTHS) await click(browser, width);
} finally {
  await browser.close();
}
console.log(JSON.stringify(problems));
