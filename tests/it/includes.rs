//! Files that content includes: the newest of them dates the page.

use crate::site_test::{SiteTest, page, pair, text_at};

const FIRST: &str = "2024-01-01T00:00:00Z";
const LATER: &str = "2024-06-01T00:00:00Z";

/// A site of a generator: its settings, its output directory, and a content file with the page made
/// from it.
#[derive(Clone, Copy)]
struct Case {
    settings: (&'static str, &'static str),
    output: &'static str,
    content: &'static str,
    page: &'static str,
}

impl Case {
    const fn new(
        settings: (&'static str, &'static str),
        output: &'static str,
        content: &'static str,
        page: &'static str,
    ) -> Self {
        Self {
            settings,
            output,
            content,
            page,
        }
    }
}

const MDBOOK: Case = Case::new(("book.toml", ""), "book", "src/a.md", "a.html");
const MKDOCS: Case = Case::new(("mkdocs.yml", ""), "site", "docs/a.md", "a/index.html");
const HUGO: Case = Case::new(("hugo.toml", ""), "public", "content/a.md", "a/index.html");
const JEKYLL: Case = Case::new(
    ("_config.yml", "permalink: /:title.html\n"),
    "_site",
    "x/a.md",
    "x/a.html",
);
const SPHINX: Case = Case::new(
    ("conf.py", "project = 'a'\n"),
    "_build/html",
    "x/a.rst",
    "x/a.html",
);
const DOCUSAURUS: Case = Case::new(
    ("docusaurus.config.js", "export default {};\n"),
    "build",
    "docs/a.mdx",
    "docs/a/index.html",
);
const ASTRO: Case = Case::new(
    ("astro.config.mjs", "export default {};\n"),
    "dist",
    "src/pages/a.mdx",
    "a/index.html",
);
const VITEPRESS: Case = Case::new(
    (".vitepress/config.mts", "export default {}\n"),
    ".vitepress/dist",
    "x/a.md",
    "x/a.html",
);
const ZOLA: Case = Case::new(
    ("zola.toml", "base_url = \"https://example.com/\"\n"),
    "public",
    "content/a.md",
    "a/index.html",
);

impl Case {
    /// Creates a site with a text in its content file.
    fn site(&self, text: &str) -> SiteTest {
        let site = SiteTest::empty();
        site.settings("");
        site.write(self.settings.0, self.settings.1);
        site.write(self.content, text);
        site.write(format!("{}/{}", self.output, self.page), page(""));
        site.write(".gitignore", format!("/{}\n.docusaurus\n", self.output));
        if self.settings == DOCUSAURUS.settings {
            site.docusaurus_page(&format!("/{}", self.page), self.content);
        }
        site
    }

    /// Checks that a later change of `included` dates a page with this text, or that it does not.
    #[track_caller]
    fn check(&self, text: &str, included: &str, counts: Counts) {
        let site = self.site(text);
        site.write(included, "a\n").commit(FIRST);
        site.write(included, "b\n").commit(LATER);
        let dating = match counts {
            Counts::Yes => included,
            Counts::No => self.content,
        };
        let page = &site.explain()[self.page];
        let found = ["source", "dated_by", "lastmod"].map(|key| text_at(page, key));
        let date = site.date_by_git(dating);
        let expected = [self.content, dating, &date].map(|text| Some(text.to_owned()));
        assert_eq!(found, expected, "{text}");
    }

    /// Checks texts with the files that they name.
    #[track_caller]
    fn check_all(&self, rows: &[(&str, &str, Counts)]) {
        for &(text, included, counts) in rows {
            self.check(text, included, counts);
        }
    }
}

/// Whether an included file counts.
#[derive(Clone, Copy)]
enum Counts {
    Yes,
    No,
}
use Counts::{No, Yes};

/// [`Case::check`] for a page of MkDocs with these settings.
#[track_caller]
fn check_mkdocs(settings: &'static str, text: &str, included: &str, counts: Counts) {
    let settings = ("mkdocs.yml", settings);
    Case { settings, ..MKDOCS }.check(text, included, counts);
}

#[test]
fn mdbook_includes_count_with_ranges_and_anchors_also_in_fences() {
    let outside = "{{#include ../../outside.md}} {{#include /etc/passwd}}\n";
    let rust = "```rust\n{{#rustdoc_include ../code/b.rs:here}}\n```\n";
    MDBOOK.check_all(&[
        ("{{#include b.md}}\n", "src/b.md", Yes),
        ("{{#include b.rs:2:10}}\n", "src/b.rs", Yes),
        (rust, "code/b.rs", Yes),
        ("{{ #playground b.rs editable}}\n", "src/b.rs", Yes),
        (outside, "src/b.md", No),
        ("{{#includes b.md}}\n", "src/b.md", No),
    ]);
    let settings = ("book.toml", "[preprocessor.literate]\n");
    Case { settings, ..MDBOOK }.check("{{#literate b.rs}}\n", "src/b.rs", Yes);
}

#[test]
fn mkdocs_snippets_and_the_plugin_include_markdown_count_if_they_are_enabled() {
    let settings = "markdown_extensions:\n- toc\n- pymdownx.snippets:\n    \
                    base_path: [parts, docs/parts]\nplugins:\n- search\n- include-markdown\n";
    let check = |text, included, counts| check_mkdocs(settings, text, included, counts);
    check("--8<-- \"b.md\"\n", "parts/b.md", Yes);
    check("    --8<-- 'b.md:3:5'\n", "docs/parts/b.md", Yes);
    check("```\n--8<-- \"b.md:part\"\n```\n", "parts/b.md", Yes);
    check("--8<--\nc.md\nb.md:1\n--8<--\n", "parts/b.md", Yes);
    check(";--8<-- \"b.md\"\n", "parts/b.md", No);
    check("text --8<-- \"b.md\"\n", "parts/b.md", No);
    check("{% include-markdown \"b.md\" %}\n", "docs/b.md", Yes);
    let lines = "{%\n  include \"./b.md\"\n  start=\"x\"\n%}\n";
    check(lines, "docs/b.md", Yes);
    let both = "--8<-- \"b.md\"\n\n{% include \"b.md\" %}\n";
    check_mkdocs("plugins: [search]\n", both, "b.md", No);
    check_mkdocs("plugins: [search]\n", both, "docs/b.md", No);
}

#[test]
fn markdown_include_counts_in_mkdocs_if_it_is_enabled() {
    let check = check_mkdocs;
    let enabled = "markdown_extensions: [markdown_include.include]\n";
    let in_parts = "markdown_extensions:\n- markdown_include.include:\n    base_path: parts\n";
    check(enabled, "```yaml\n{!x/b.yaml!}\n```\n", "x/b.yaml", Yes);
    check(enabled, "text {! b.md !lines=1 3-5} text\n", "b.md", Yes);
    check(enabled, "{!b.md\n!}\n", "b.md", No);
    check(in_parts, "{!b.md!}\n", "parts/b.md", Yes);
    check("plugins: [search]\n", "{!b.md!}\n", "b.md", No);
}

#[test]
fn mdx_include_and_variants_count_in_mkdocs_if_they_are_enabled() {
    let check = check_mkdocs;
    let mdx_include = "markdown_extensions:\n- mdx_include:\n    base_path: docs\n";
    check(mdx_include, "{!> ../x/b.py[ln:1-3]!}\n", "x/b.py", Yes);
    check(mdx_include, "{! b.md | utf-8 !}\n", "docs/b.md", Yes);
    let variants = "markdown_extensions: {markdown_include_variants: null}\n";
    check(variants, "{* x/b.py hl[1:2] *}\n", "x/b.py", Yes);
    check(variants, "text {* x/b.py *}\n", "x/b.py", No);
    check("plugins: [search]\n", "{* x/b.py *}\n", "x/b.py", No);
}

#[test]
fn the_module_that_a_reference_page_shows_counts() {
    let summary = ".. autosummary::\n   :nosignatures:\n\n   ~p.b.C\n   p.c.f\n";
    let current = ".. currentmodule:: p\n\n.. autofunction:: f\n";
    SPHINX.check_all(&[
        (".. automodule:: p.b\n   :members:\n", "p/b.py", Yes),
        (".. autoclass:: p.b.C\n", "src/p/b.py", Yes),
        (".. autofunction:: p.f\n", "p/__init__.py", Yes),
        (current, "src/p/__init__.py", Yes),
        (summary, "p/c.py", Yes),
        (".. module:: p.b\n", "p/b.py", No),
        (".. automodule:: other.b\n", "p/b.py", No),
    ]);
    let site = SiteTest::empty();
    site.write("docs/conf.py", "project = 'a'\n");
    site.write("docs/a.rst", ".. automodule:: p.b\n");
    site.write("docs/_build/html/a.html", page(""))
        .write(".gitignore", "_build\n");
    site.write("src/p/b.py", "a\n").commit(FIRST);
    site.write("src/p/b.py", "b\n").commit(LATER);
    let arguments = ["explain", "docs", "--base-url", "https://example.com/"];
    site.waypost(&arguments).succeeded().shows("2024-06-01");

    let mkdocs = check_mkdocs;
    let enabled = "plugins: [mkdocstrings]\n";
    mkdocs(enabled, "::: p.b.C\n    options: {}\n", "src/p/b.py", Yes);
    mkdocs(enabled, "## ::: p.b\n\ntext\n", "src/p/b.py", Yes);
    mkdocs(enabled, "> #### ::: p.b.C\n", "src/p/b.py", Yes);
    mkdocs(enabled, "::: p-click\n    :module: q\n", "p.py", No);
    mkdocs(enabled, "```\n::: p.b\n```\n", "p/b.py", No);
    let in_lib = "plugins:\n- mkdocstrings:\n    handlers: {python: {paths: [lib]}}\n";
    mkdocs(in_lib, "::: p\n", "lib/p.py", Yes);
    mkdocs("plugins: [search]\n", "::: p\n", "p.py", No);
}

#[test]
fn shortcodes_with_files_and_resources_of_bundles_count_in_hugo() {
    HUGO.check_all(&[
        ("{{< include \"b.md\" >}}\n", "content/b.md", Yes),
        ("{{% include \"/x/b.md\" %}}\n", "content/x/b.md", Yes),
        ("{{< readfile lang=\"c\" file=\"x/b.c\" >}}\n", "x/b.c", Yes),
        ("{{</* include \"b.md\" */>}}\n", "content/b.md", No),
        ("{{< figure src=\"b.md\" >}}\n", "content/b.md", No),
    ]);
    let content = "content/a/index.md";
    Case { content, ..HUGO }.check_all(&[
        ("a\n", "content/a/b.md", Yes),
        ("a\n", "content/a/x/b.md", Yes),
        ("a\n", "content/a/b.png", No),
        ("a\n", "content/b.md", No),
    ]);
}

#[test]
fn content_in_includes_counts_in_jekyll_but_templates_and_variables_do_not() {
    let check = |text, included, counts| {
        JEKYLL.check(&format!("---\n---\n{text}\n"), included, counts);
    };
    check("{% include_relative b.md %}", "x/b.md", Yes);
    check("{%- include b.md title=\"c\" -%}", "_includes/b.md", Yes);
    check("{% include_cached b.md %}", "_includes/b.md", Yes);
    check("{% include b.html %}", "_includes/b.html", No);
    check("{% include {{ page.name }}/b.md %}", "_includes/b.md", No);
}

#[test]
fn directives_that_read_files_count_in_sphinx_outside_of_fenced_code() {
    let table = ".. csv-table:: A\n   :header: c\n   :file: b.csv\n";
    SPHINX.check_all(&[
        (".. include:: ../b.rst\n", "b.rst", Yes),
        (".. note::\n\n   .. include:: /y/b.txt\n", "y/b.txt", Yes),
        (".. literalinclude:: b.py\n   :lines: 1\n", "x/b.py", Yes),
        (table, "x/b.csv", Yes),
        (".. include:: <b.txt>\n", "x/b.txt", No),
    ]);
    let content = "x/a.md";
    Case { content, ..SPHINX }.check_all(&[
        ("```{include} ../b.md\n```\n", "b.md", Yes),
        (":::{literalinclude} b.py\n:::\n", "x/b.py", Yes),
        ("```{csv-table} A\n:file: b.csv\n```\n", "x/b.csv", Yes),
        ("````\n```{include} b.md\n```\n````\n", "x/b.md", No),
    ]);
}

#[test]
fn partials_and_raw_imports_count_in_docusaurus_and_astro_but_components_do_not() {
    let fenced = "```\nimport B from './_b.mdx';\n```\n";
    DOCUSAURUS.check_all(&[
        ("import B from './_b.mdx';\n\n<B />\n", "docs/_b.mdx", Yes),
        ("import B from \"@site/x/_b.md\"\n", "x/_b.md", Yes),
        ("import B from '!!raw-loader!./b.rs';\n", "docs/b.rs", Yes),
        ("import B from './B.jsx';\n", "docs/B.jsx", No),
        (fenced, "docs/_b.mdx", No),
    ]);
    ASTRO.check_all(&[
        ("import B from '../parts/b.mdx';\n", "src/parts/b.mdx", Yes),
        ("import b from '../b.rs?raw';\n", "src/b.rs", Yes),
        ("import B from '../B.astro';\n", "src/B.astro", No),
    ]);
}

#[test]
fn includes_and_snippets_count_in_vitepress() {
    VITEPRESS.check_all(&[
        ("<!--@include: ./b.md-->\n", "x/b.md", Yes),
        ("<!-- @include: @/y/b.md{1,5} -->\n", "y/b.md", Yes),
        ("<<< @/y/b.js#part{2 js}\n", "y/b.js", Yes),
        ("```\n<<< ./b.js\n```\n", "x/b.js", No),
        ("<!-- include: ./b.md -->\n", "x/b.md", No),
    ]);
}

#[test]
fn files_that_shortcodes_read_count_in_zola() {
    let check = |text, included, counts| {
        ZOLA.check(&format!("+++\n+++\n{text}\n"), included, counts);
    };
    check("{{ load_data(path=\"data/b.csv\") }}", "data/b.csv", Yes);
    check("{{ include(path=\"@/b.md\") }}", "content/b.md", Yes);
    check("{{/* include(path=\"@/b.md\") */}}", "content/b.md", No);
    check("{{ youtube(id=\"b.md\") }}", "b.md", No);
}

#[test]
fn asciidoc_includes_count() {
    let content = "content/a.adoc";
    Case { content, ..HUGO }.check_all(&[
        ("include::b.adoc[tag=c]\n", "content/b.adoc", Yes),
        ("\\include::b.adoc[]\n", "content/b.adoc", No),
        ("include::{dir}/b.adoc[]\n", "content/b.adoc", No),
    ]);
}

#[test]
fn includes_are_followed_through_other_files_and_in_circles() {
    let site = MDBOOK.site("{{#include x/b.md}}\n");
    site.write("src/c.md", "c\n").write("book/c.html", page(""));
    site.write("src/x/b.md", "{{#include d.rs}} {{#include ../a.md}}\n");
    site.write("src/x/d.rs", "d\n").commit(FIRST);
    site.write("src/x/d.rs", "e\n").commit(LATER);
    let expected = [pair("a.html", "src/x/d.rs"), pair("c.html", "src/c.md")];
    assert_eq!(site.explained("dated_by"), expected);
}

#[test]
fn sphinx_resolves_nested_includes_from_the_document_as_it_does() {
    let site = SPHINX.site(".. include:: ../y/b.txt\n");
    site.write("y/b.txt", ".. include:: c.inc\n");
    site.write("x/c.inc", "c\n")
        .write("y/c.inc", "c\n")
        .commit(FIRST);
    site.write("y/c.inc", "d\n").commit("2024-05-01T00:00:00Z");
    assert_eq!(site.explain()["x/a.html"]["dated_by"], "x/a.rst");
    site.write("x/c.inc", "d\n").commit(LATER);
    assert_eq!(site.explain()["x/a.html"]["dated_by"], "x/c.inc");
}

#[test]
fn a_page_with_an_uncommitted_include_has_no_date() {
    let site = MDBOOK.site("{{#include b.md}}\n");
    site.commit(FIRST);
    site.build().says_nothing_of("b.md");
    site.write("src/b.md", "b\n");
    let undated = "warning[source-uncommitted]: `src/b.md` (included) is not committed, so `a.html` gets no Git date";
    site.waypost(&["--dry-run", "--accept", "dates-lost"])
        .says(undated);
    site.commit(LATER);
    site.write("src/b.md", "c\n");
    let undated = "warning[source-uncommitted]: `src/b.md` (included) has uncommitted changes";
    site.waypost(&["--dry-run", "--accept", "dates-lost"])
        .says(undated);
}

#[test]
fn explain_names_the_included_file_and_its_commit() {
    let site = MDBOOK.site("{{#include b.md}}\n");
    site.write("src/b.md", "b\n").commit(FIRST);
    site.write("src/b.md", "c\n");
    let commit = site.commit(LATER);
    site.waypost(&["explain", "a.html"])
        .shows("2024-06-01T00:00:00Z (git: src/b.md)")
        .shows(&commit);
}

#[test]
fn a_source_that_only_the_page_names_has_includes_too() {
    let page = "other.html";
    let site = Case { page, ..MDBOOK }.site("{{#include b.md}}\n");
    let named = "<meta name=\"waypost:source\" content=\"src/a.md\">";
    site.page("book/other.html", named);
    site.write("src/b.md", "b\n").commit(FIRST);
    site.write("src/b.md", "c\n").commit(LATER);
    assert_eq!(site.explained("dated_by"), [pair("other.html", "src/b.md")]);
}
