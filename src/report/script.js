"use strict";
// Renders the report from the embedded data. Text from the site is set as text, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const grouped = new Intl.NumberFormat("en").format;
const [PATH, FILE, REASON, SECONDS, ORIGIN, SOURCE, EVIDENCE, COMMIT, CHANGED] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const STEP = 100;

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const day = (seconds) => (seconds === null ? "" : new Date(seconds * 1000).toISOString().slice(0, 10));
const fileOf = (page) => page[FILE] ?? page[PATH] + (page[PATH] === "" || page[PATH].endsWith("/") ? "index.html" : "");
const reasonOf = (page) => page[REASON] ?? "listed";
const isListed = (page) => page[REASON] === null;

const isUndated = (page) => isListed(page) && page[SECONDS] === null;
const counted = (number, what) => `${grouped(number)} ${what}${number === 1 ? "" : "s"}`;

/* Shortens a text that would fill the screen. */
const brief = (text) => (text.length > 160 ? `${text.slice(0, 159)}…` : text);

function link(url, text = brief(url)) {
  return element("a", { href: url, rel: "noopener noreferrer" }, text);
}

/* Shows the names in backticks as code. */
function message(text) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

/* Sorts a table by its headings. A column has a name, a cell function, a sort key and a class. Each
   key is computed once; rows that are already in order are not sorted. */
function sortable(table, columns, rows, state, redraw) {
  const head = table.tHead.rows[0];
  head.replaceChildren(...columns.map((column, at) => {
    const sorted = state.column === at ? (state.up ? "ascending" : "descending") : "none";
    const sort = () => {
      state.up = state.column === at ? !state.up : column.up ?? true;
      state.column = at;
      redraw();
      table.tHead.rows[0].cells[at].firstChild.focus();
    };
    return element("th", { scope: "col", "aria-sort": sorted, class: column.class ?? "" },
      element("button", { type: "button", onclick: sort }, column.name));
  }));
  const key = columns[state.column].key;
  const sign = state.up ? 1 : -1;
  if (columns[state.column].inOrder && state.up) return rows;
  const keyed = rows.map((row) => ({ row, key: key(row) }));
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === null || b === null) return (a === null) - (b === null); // missing values come last
    return a < b ? -sign : a > b ? sign : 0;
  });
  return keyed.map(({ row }) => row);
}

function fill(table, columns, rows, from) {
  const drawn = rows.map((row) =>
    element("tr", {}, ...columns.map((column) => element("td", { class: column.class ?? "" }, column.cell(row)))));
  const body = table.tBodies[0];
  if (from === 0) body.replaceChildren(...drawn);
  else body.append(...drawn);
}

/* Makes each bar of the charts a button that shows the pages it counts. */
function drawBars() {
  const names = [["all", "all pages"]];
  for (const bar of document.querySelectorAll(".bars li")) {
    const { filter } = bar.dataset;
    names.push([filter, filter.replaceAll("`", "")]);
    const button = element("button", { type: "button", onclick: () => show(filter, "") });
    button.append(...bar.childNodes);
    bar.replaceChildren(button);
  }
  byId("filter").replaceChildren(...names.map(([value, text]) => element("option", { value }, text)));
}

/* Shows the pages with this status whose URL, file or source has these words. */
function show(status, words) {
  byId("filter").value = status;
  byId("search").value = words;
  search();
  byId("pages").focus();
  byId("pages").scrollIntoView();
}

/* Groups dates by day, month, quarter or year, depending on the range. */
function periods(dates) {
  let [oldest, newest] = [Infinity, -Infinity];
  for (const seconds of dates) {
    oldest = Math.min(oldest, seconds);
    newest = Math.max(newest, seconds);
  }
  const DAY = 86400;
  const firstDay = Math.floor(oldest / DAY);
  if (Math.floor(newest / DAY) - firstDay < 62) {
    const counts = new Array(Math.floor(newest / DAY) - firstDay + 1).fill(0);
    for (const seconds of dates) counts[Math.floor(seconds / DAY) - firstDay] += 1;
    return counts.map((count, at) => ({ name: day((firstDay + at) * DAY), count }));
  }
  const month = (seconds) => {
    const date = new Date(seconds * 1000);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  };
  const [first, last] = [month(oldest), month(newest)];
  const months = last - first < 48 ? 1 : last - first < 144 ? 3 : 12;
  const [start, end] = [Math.floor(first / months), Math.floor(last / months)];
  const counts = new Array(end - start + 1).fill(0);
  for (const seconds of dates) counts[Math.floor(month(seconds) / months) - start] += 1;
  const name = (at) => {
    const [year, within] = [Math.floor(((start + at) * months) / 12), ((start + at) * months) % 12];
    if (months === 12) return `${year}`;
    return months === 3 ? `${year} Q${within / 3 + 1}` : `${year}-${String(within + 1).padStart(2, "0")}`;
  };
  return counts.map((count, at) => ({ name: name(at), count }));
}

function drawDates() {
  const chart = byId("histogram");
  const dates = data.pages.filter(isListed).map((page) => page[SECONDS]).filter((seconds) => seconds !== null);
  if (dates.length === 0) return;
  const bins = periods(dates);
  const most = bins.reduce((most, bin) => Math.max(most, bin.count), 0);
  const fullest = bins.find((bin) => bin.count === most);
  byId("dates-table").tBodies[0].replaceChildren(...bins.filter((bin) => bin.count > 0).map((bin) =>
    element("tr", {}, element("td", {}, bin.name), element("td", { class: "number" }, grouped(bin.count)))));
  if (bins.length < 2) return; // one bar compares nothing
  chart.hidden = false;
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label",
    `Bar chart from ${bins[0].name} to ${bins.at(-1).name}; peak of ${grouped(most)} pages in ${fullest.name}`);
  chart.replaceChildren(...bins.map((bin) => {
    const height = bin.count === 0 ? 0 : Math.max(1.5, (100 * bin.count) / most);
    return element("span", { style: `height:${height}%`, title: `${bin.name}: ${grouped(bin.count)}` });
  }));
  chart.after(element("p", { class: "axis", "aria-hidden": "true" },
    element("span", {}, bins[0].name), element("span", {}, `most: ${grouped(most)} in ${fullest.name}`), element("span", {}, bins.at(-1).name)));
}

/* Decodes a path for display; one that is not UTF-8 stays encoded. */
function decoded(path) {
  try { return decodeURI(path); } catch { return path; }
}

/* The directories of the output with what is below them. A directory with a single page is shown as
   that page of the directory above. */
function directories() {
  const create = (name, path) =>
    ({ name, path, pages: 0, listed: 0, undated: 0, findings: 0, oldest: null, newest: null, children: new Map() });
  const root = create("", "");
  for (const page of data.pages) {
    const file = fileOf(page);
    const findings = data.flagged[file] ?? 0;
    const parts = file.split("/");
    let node = root;
    for (let at = 0; ; at += 1) {
      node.pages += 1;
      node.findings += findings;
      node.listed += isListed(page);
      node.undated += isUndated(page);
      if (isListed(page) && page[SECONDS] !== null) {
        node.oldest = Math.min(node.oldest ?? Infinity, page[SECONDS]);
        node.newest = Math.max(node.newest ?? -Infinity, page[SECONDS]);
      }
      if (at === parts.length - 1) break;
      const name = `${parts[at]}/`;
      if (!node.children.has(name)) node.children.set(name, create(name, node.path + name));
      node = node.children.get(name);
    }
  }
  return root;
}

const orders = [
  ["name", (node) => node.name, 1],
  ["pages", (node) => node.pages, -1],
  ["findings", (node) => node.findings, -1],
  ["pages without a date", (node) => node.undated, -1],
  ["oldest change", (node) => node.oldest ?? Infinity, 1],
  ["newest change", (node) => node.newest ?? -Infinity, -1],
];

function figuresOf(node) {
  const excluded = node.pages - node.listed;
  const figures = [counted(node.pages, "page")];
  if (excluded > 0) figures.push(`${grouped(excluded)} excluded`);
  if (node.undated > 0) figures.push(`${grouped(node.undated)} without a date`);
  if (node.newest !== null) {
    const [oldest, newest] = [day(node.oldest), day(node.newest)];
    figures.push(oldest === newest ? newest : `${oldest} to ${newest}`);
  }
  const findings = element("span", { class: "warn" }, counted(node.findings, "finding"));
  return [figures.join(", "), ...(node.findings > 0 ? [", ", findings] : [])];
}

/* The list of a directory's directories, drawn when it is opened, a hundred at a time. */
function branch(node, [, key, sign]) {
  const shown = [...node.children.values()].filter((child) => child.pages > 1);
  const keyed = shown.map((child) => ({ child, key: key(child) }));
  keyed.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0));
  const list = element("ul");
  const more = element("button", { type: "button", onclick: () => add() });
  let drawn = 0;
  const add = () => {
    list.append(...keyed.slice(drawn, drawn + STEP).map(({ child }) => twig(child)));
    drawn += STEP;
    more.textContent = `Show more of ${grouped(keyed.length)} directories`;
    if (drawn >= keyed.length) more.remove();
  };
  const order = orders[byId("order").selectedIndex];
  const twig = (child) => {
    const closed = element("details", {}, element("summary", {}, element("span", { class: "dir" }, child.name), " ",
      element("span", { class: "figures" }, ...figuresOf(child))));
    closed.addEventListener("toggle", () => closed.append(...branch(child, order)), { once: true });
    return element("li", {}, closed);
  };
  add();
  const pages = element("button", { type: "button", class: "plain", onclick: () => show("all", `in:${node.path}`) },
    `Show ${counted(node.pages, "page")}`);
  return [...(node.path ? [pages] : []), ...(keyed.length > 0 ? [list] : []), ...(drawn < keyed.length ? [more] : [])];
}

function drawTree() {
  const root = directories();
  const order = byId("order");
  order.replaceChildren(...orders.map(([name]) => element("option", {}, name)));
  const draw = () => {
    const drawn = branch(root, orders[order.selectedIndex]);
    byId("tree").replaceChildren(...(drawn.length > 0 ? drawn : [element("p", {}, "All pages are in one directory.")]));
  };
  order.addEventListener("change", draw);
  draw();
}

const datedBy = (page) => (page[SECONDS] === null ? null : page[ORIGIN]);

/* The origin of a date with its commit, or why there is none. */
function origin(page) {
  if (page[SECONDS] === null) {
    return isListed(page) ? [element("span", { class: "file" }, ...message(`no date: ${page[ORIGIN]}`))] : [];
  }
  const parts = [datedBy(page)];
  if (page[COMMIT]) parts.push(" ", element("code", {}, page[COMMIT].slice(0, 8)));
  if (page[CHANGED]) parts.push(element("span", { class: "file" }, page[CHANGED]));
  return parts;
}

const pageColumns = [
  {
    name: "Page", key: fileOf, inOrder: true,
    cell: (page) => element("span", {}, link(data.base + page[PATH]), element("span", { class: "file" }, brief(fileOf(page)))),
  },
  { name: "Last change", key: (page) => page[SECONDS], cell: (page) => day(page[SECONDS]), class: "date", up: false },
  { name: "Dated by", key: datedBy, cell: (page) => element("span", {}, ...origin(page)) },
  {
    name: "Status", key: reasonOf,
    cell: (page) => element("span", {}, element("span", { class: isListed(page) ? "in" : "" }, reasonOf(page)),
      ...(page[EVIDENCE] ? [element("span", { class: "file" }, ...message(brief(page[EVIDENCE])))] : [])),
  },
  { name: "Source", key: (page) => page[SOURCE], cell: (page) => page[SOURCE] ?? "" },
];
const pageState = { column: 0, up: true };
let found = [];
let drawn = 0;

function drawMore() {
  const next = found.slice(drawn, drawn + STEP);
  fill(byId("table"), pageColumns, next, drawn);
  drawn += next.length;
  byId("more").hidden = drawn >= found.length;
  byId("more").textContent = `Show ${grouped(Math.min(STEP, found.length - drawn))} more of ${grouped(found.length)}`;
}

/* Whether a page has the status that the filter names. */
function hasStatus(page, status) {
  if (status === "all" || reasonOf(page) === status) return true;
  return isUndated(page) && status === `undated: ${page[ORIGIN]}`;
}

function search() {
  const typed = byId("search").value.trim();
  const dir = typed.startsWith("in:") ? typed.slice(3) : null;
  const words = dir === null ? typed.toLowerCase().split(/\s+/).filter(Boolean) : [];
  const status = byId("filter").value;
  found = data.pages.filter((page) => {
    if (!hasStatus(page, status)) return false;
    if (dir !== null) return fileOf(page).startsWith(dir);
    if (words.length === 0) return true;
    const text = `${page[PATH]}\n${decoded(page[PATH])}\n${fileOf(page)}\n${page[SOURCE] ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  found = sortable(byId("table"), pageColumns, found, pageState, search);
  byId("count").textContent = found.length === 1 ? "1 page" : `${grouped(found.length)} pages`;
  drawn = 0;
  drawMore();
}

/* The search terms in the report's URL: `#q=100%25`, or `#q=100%` as typed by a user. */
function asked() {
  const [, words] = /^#q=(.*)$/.exec(location.hash) ?? ["", ""];
  try { return decodeURIComponent(words); } catch { return words; }
}

let waiting;
byId("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
byId("filter").addEventListener("change", search);
byId("more").addEventListener("click", drawMore);
for (const part of document.querySelectorAll(".scripted")) part.hidden = false;
drawBars();
drawDates();
drawTree();
byId("search").value = asked();
search();
document.documentElement.dataset.drawn = "yes";
