// Makes parts of mdBook's markup accessible: what scrolls can be reached by keyboard, the bar at the top is a landmark,
// and a closed sidebar cannot be entered. It runs after mdBook's own script; the block keeps its names apart from those there.
"use strict";

{
  for (const scrolling of document.querySelectorAll("pre > code, .table-wrapper")) scrolling.tabIndex = 0;
  document.getElementById("mdbook-menu-bar")?.setAttribute("role", "banner");

  const toggle = document.getElementById("mdbook-sidebar-toggle");
  const sidebar = document.getElementById("mdbook-sidebar");
  const follow = () => {
    sidebar.inert = sidebar.getAttribute("aria-hidden") === "true";
    // A label has none of these; its checkbox has the state.
    for (const name of ["aria-label", "aria-controls", "aria-expanded"]) toggle?.removeAttribute(name);
  };
  if (sidebar) {
    follow();
    new MutationObserver(follow).observe(sidebar, { attributeFilter: ["aria-hidden"] });
  }
}
