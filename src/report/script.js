"use strict";
// Renders the report from the embedded data. Text from the site is set as text, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const grouped = new Intl.NumberFormat("en").format;
const [PATH, FILE, REASON, SECONDS, DATED_BY, SOURCE, EVIDENCE] = [0, 1, 2, 3, 4, 5, 6];
const LISTED = -1;
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
const fileOf = (page) => page[FILE] || page[PATH] + (page[PATH] === "" || page[PATH].endsWith("/") ? "index.html" : "");
const reasonOf = (page) => (page[REASON] === LISTED ? "listed" : data.reasons[page[REASON]]);
const isListed = (page) => page[REASON] === LISTED;

function link(address) {
  return element("a", { href: address, rel: "noopener noreferrer" }, address);
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

function drawReasons() {
  const counts = new Map();
  for (const page of data.pages) {
    const reason = reasonOf(page);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const order = [...counts].sort((a, b) => (b[0] === "listed") - (a[0] === "listed") || b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  byId("reasons").replaceChildren(...order.map(([reason, count]) => {
    const bar = element("span", { class: "fill", style: `width:${(100 * count) / data.pages.length}%` });
    const show = () => {
      byId("filter").value = reason;
      byId("search").value = "";
      search();
      byId("pages").focus();
      byId("pages").scrollIntoView();
    };
    const track = element("span", { class: "track", "aria-hidden": "true" }, bar);
    const button = element("button", { type: "button", onclick: show, title: data.about[reason] ?? "" },
      element("span", {}, reason), track, element("span", { class: "number" }, grouped(count)));
    return element("li", { class: reason }, button);
  }));
  const choices = [["all", "all pages"], ...order.map(([reason]) => [reason, reason])];
  byId("filter").replaceChildren(...choices.map(([value, text]) => element("option", { value }, text)));
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
  const listed = data.pages.filter(isListed);
  const dates = listed.map((page) => page[SECONDS]).filter((seconds) => seconds !== null);
  byId("dates-lead").textContent =
    `${grouped(dates.length)} of ${grouped(listed.length)} listed pages have a date. Dates are never guessed.`;
  if (dates.length === 0) return;
  const bins = periods(dates);
  const most = bins.reduce((most, bin) => Math.max(most, bin.count), 0);
  const chart = byId("histogram");
  const fullest = bins.find((bin) => bin.count === most);
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label",
    `Bar chart from ${bins[0].name} to ${bins.at(-1).name}; peak of ${grouped(most)} pages in ${fullest.name}`);
  chart.replaceChildren(...bins.map((bin) => {
    const height = bin.count === 0 ? 0 : Math.max(1.5, (100 * bin.count) / most);
    return element("span", { style: `height:${height}%`, title: `${bin.name}: ${grouped(bin.count)}` });
  }));
  chart.after(element("p", { class: "axis", "aria-hidden": "true" },
    element("span", {}, bins[0].name), element("span", {}, `peak: ${grouped(most)}`), element("span", {}, bins.at(-1).name)));
  byId("dates-table").tBodies[0].replaceChildren(...bins.filter((bin) => bin.count > 0).map((bin) =>
    element("tr", {}, element("td", {}, bin.name), element("td", { class: "number" }, grouped(bin.count)))));
}

/* Decodes a path for display; one that is not UTF-8 stays encoded. */
function decoded(path) {
  try { return decodeURI(path); } catch { return path; }
}

function drawSections() {
  const sections = new Map();
  for (const page of data.pages) {
    const slash = page[PATH].indexOf("/");
    const name = slash < 0 ? "/" : page[PATH].slice(0, slash + 1);
    if (!sections.has(name)) sections.set(name, { name, pages: 0, listed: 0, dates: [] });
    const section = sections.get(name);
    section.pages += 1;
    section.listed += isListed(page);
    if (isListed(page) && page[SECONDS] !== null) section.dates.push(page[SECONDS]);
  }
  for (const section of sections.values()) {
    section.dates.sort((a, b) => a - b);
    const { length } = section.dates;
    section.oldest = length ? section.dates[0] : null;
    section.median = length ? section.dates[Math.floor((length - 1) / 2)] : null;
    section.newest = length ? section.dates[length - 1] : null;
  }
  const date = (name, key) => ({ name, key: (row) => row[key], cell: (row) => day(row[key]), class: "date", up: true });
  const number = (name, key) => ({ name, key: (row) => row[key], cell: (row) => grouped(row[key]), class: "number", up: false });
  const columns = [
    { name: "Section", key: (row) => row.name, cell: (row) => decoded(row.name) },
    number("Pages", "pages"), number("Listed", "listed"),
    date("Oldest", "oldest"), date("Median", "median"), date("Newest", "newest"),
  ];
  const state = { column: 1, up: false };
  const rows = [...sections.values()];
  let shown = STEP;
  const redraw = () => {
    const sorted = sortable(byId("sections"), columns, rows, state, redraw);
    fill(byId("sections"), columns, sorted.slice(0, shown), 0);
    const more = byId("sections-more");
    more.hidden = rows.length <= shown;
    more.textContent = `Show more of ${grouped(rows.length)} sections`;
  };
  byId("sections-more").addEventListener("click", () => { shown += STEP; redraw(); });
  redraw();
}

function drawFindings() {
  const box = byId("findings");
  if (data.findings.length === 0) return box.replaceChildren(element("p", {}, "No findings."));
  box.replaceChildren(...data.findings.map((group) => {
    const items = group.told.map(([message, hint, place]) => element("li", {}, message,
      ...(place ? [element("span", { class: "place" }, place)] : []),
      ...(hint ? [element("span", { class: "place" }, `hint: ${hint}`)] : [])));
    const more = group.count - group.told.length;
    if (more > 0) items.push(element("li", {}, `${grouped(more)} more`));
    const level = group.level === "deny" ? ["error", "error"] : ["warn", "warning"];
    return element("details", {},
      element("summary", {}, element("span", { class: `badge ${level[0]}` }, level[1]), ` ${group.code} (${grouped(group.count)})`),
      element("p", { class: "lead" }, group.about), element("ul", {}, ...items));
  }));
}

function drawChanges() {
  const box = byId("changes");
  if (!data.changes) return box.replaceChildren(element("p", {}, "There is no previous sitemap to compare with."));
  const kinds = [["added", "Added"], ["removed", "Removed"], ["redated", "Re-dated"]];
  if (kinds.every(([kind]) => data.changes[kind].count === 0)) {
    return box.replaceChildren(element("p", {}, "None: the existing sitemap is up to date."));
  }
  box.replaceChildren(...kinds.map(([kind, title]) => {
    const { count, urls } = data.changes[kind];
    const items = urls.map((url) => element("li", {}, url));
    if (count > urls.length) items.push(element("li", {}, `${grouped(count - urls.length)} more`));
    return element("details", {}, element("summary", {}, `${title}: ${grouped(count)}`), element("ul", {}, ...items));
  }));
}

const pageColumns = [
  {
    name: "Page", key: fileOf, inOrder: true,
    cell: (page) => element("span", {}, link(data.base + page[PATH]), element("span", { class: "file" }, fileOf(page))),
  },
  { name: "Last change", key: (page) => page[SECONDS], cell: (page) => day(page[SECONDS]), class: "date", up: false },
  { name: "Dated by", key: (page) => data.datedBy[page[DATED_BY]] ?? null, cell: (page) => data.datedBy[page[DATED_BY]] ?? "" },
  {
    name: "Status", key: reasonOf,
    cell: (page) => element("span", {}, element("span", { class: isListed(page) ? "in" : "" }, reasonOf(page)),
      ...(page[EVIDENCE] ? [element("span", { class: "file" }, page[EVIDENCE])] : [])),
  },
  { name: "Source", key: (page) => page[SOURCE] || null, cell: (page) => page[SOURCE] || "" },
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

function search() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const status = byId("filter").value;
  found = data.pages.filter((page) => {
    if (status !== "all" && reasonOf(page) !== status) return false;
    if (words.length === 0) return true;
    const text = `${page[PATH]}\n${decoded(page[PATH])}\n${fileOf(page)}\n${page[SOURCE] || ""}`.toLowerCase();
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
drawReasons();
drawDates();
drawSections();
drawFindings();
drawChanges();
byId("search").value = asked();
search();
document.documentElement.dataset.drawn = "yes";
