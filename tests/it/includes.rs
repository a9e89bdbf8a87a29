//! Files that content includes: the newest of them dates the page.

use crate::site_test::{SiteTest, page, pair, text_at};

const FIRST: &str = "2024-01-01T00:00:00Z";
const LATER: &str = "2024-06-01T00:00:00Z";

/// A site of a generator: its settings, and content files with the pages made from them.
struct Case {
    settings: (&'static str, &'static str),
    output: &'static str,
}

const MDBOOK: Case = Case {
    settings: ("book.toml", ""),
    output: "book",
};
const MKDOCS: Case = Case {
    settings: (
        "mkdocs.yml",
        "markdown_extensions:\n- toc\n- pymdownx.snippets:\n    base_path: [parts, docs/parts]\nplugins:\n\
         - search\n- include-markdown\n",
    ),
    output: "site",
};
const HUGO: Case = Case {
    settings: ("hugo.toml", ""),
    output: "public",
};
const JEKYLL: Case = Case {
    settings: ("_config.yml", "permalink: /:title.html\n"),
    output: "_site",
};
const SPHINX: Case = Case {
    settings: ("conf.py", "project = 'a'\n"),
    output: "_build/html",
};
const DOCUSAURUS: Case = Case {
    settings: ("docusaurus.config.js", "export default {};\n"),
    output: "build",
};
const ASTRO: Case = Case {
    settings: ("astro.config.mjs", "export default {};\n"),
    output: "dist",
};
const VITEPRESS: Case = Case {
    settings: (".vitepress/config.mts", "export default {}\n"),
    output: ".vitepress/dist",
};
const ZOLA: Case = Case {
    settings: ("zola.toml", "base_url = \"https://example.com/\"\n"),
    output: "public",
};

impl Case {
    /// Creates a site with a content file and the page made from it.
    fn site(&self, content: (&str, &str), output: &str) -> SiteTest {
        let site = SiteTest::empty();
        site.settings("");
        site.write(self.settings.0, self.settings.1);
        site.write(content.0, content.1);
        site.write(format!("{}/{output}", self.output), page(""));
        site.write(".gitignore", format!("/{}\n.docusaurus\n", self.output));
        if self.settings == DOCUSAURUS.settings {
            site.docusaurus_page(&format!("/{output}"), content.0);
        }
        site
    }

    /// Checks that a later change of `included` dates the page made from `content`, or that it does
    /// not.
    #[track_caller]
    fn check(&self, content: (&str, &str), output: &str, included: &str, counts: Counts) {
        let site = self.site(content, output);
        site.write(included, "a\n").commit(FIRST);
        site.write(included, "b\n").commit(LATER);
        let explained = site.explain();
        let dating = match counts {
            Counts::Yes => included,
            Counts::No => content.0,
        };
        let page = &explained[output];
        assert_eq!(
            text_at(page, "source").as_deref(),
            Some(content.0),
            "{content:?}"
        );
        assert_eq!(
            text_at(page, "dated_by").as_deref(),
            Some(dating),
            "{content:?}"
        );
        assert_eq!(
            text_at(page, "lastmod"),
            Some(site.date_by_git(dating)),
            "{content:?}"
        );
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
    let case = Case {
        settings: ("mkdocs.yml", settings),
        ..MKDOCS
    };
    case.check(("docs/a.md", text), "a/index.html", included, counts);
}

#[test]
fn mdbook_includes_count_with_ranges_and_anchors_also_in_fences() {
    let check = |text, included, counts| {
        MDBOOK.check(("src/a.md", text), "a.html", included, counts);
    };
    check("{{#include b.md}}\n", "src/b.md", Yes);
    check("{{#include b.rs:2:10}}\n", "src/b.rs", Yes);
    check(
        "```rust\n{{#rustdoc_include ../code/b.rs:here}}\n```\n",
        "code/b.rs",
        Yes,
    );
    check("{{ #playground b.rs editable}}\n", "src/b.rs", Yes);
    check(
        "{{#include ../../outside.md}} {{#include /etc/passwd}}\n",
        "src/b.md",
        No,
    );
    check("{{#includes b.md}}\n", "src/b.md", No);
}

#[test]
fn mkdocs_snippets_and_the_plugin_include_markdown_count_if_they_are_enabled() {
    let check = |text, included, counts| {
        MKDOCS.check(("docs/a.md", text), "a/index.html", included, counts);
    };
    check("--8<-- \"b.md\"\n", "parts/b.md", Yes);
    check("    --8<-- 'b.md:3:5'\n", "docs/parts/b.md", Yes);
    check("```\n--8<-- \"b.md:part\"\n```\n", "parts/b.md", Yes);
    check("--8<--\nc.md\nb.md:1\n--8<--\n", "parts/b.md", Yes);
    check(";--8<-- \"b.md\"\n", "parts/b.md", No);
    check("text --8<-- \"b.md\"\n", "parts/b.md", No);
    check("{% include-markdown \"b.md\" %}\n", "docs/b.md", Yes);
    check(
        "{%\n  include \"./b.md\"\n  start=\"x\"\n%}\n",
        "docs/b.md",
        Yes,
    );
    let plain = Case {
        settings: ("mkdocs.yml", "plugins: [search]\n"),
        ..MKDOCS
    };
    let both = "--8<-- \"b.md\"\n\n{% include \"b.md\" %}\n";
    plain.check(("docs/a.md", both), "a/index.html", "b.md", No);
    plain.check(("docs/a.md", both), "a/index.html", "docs/b.md", No);
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
    let sphinx = |text, included, counts| {
        SPHINX.check(("x/a.rst", text), "x/a.html", included, counts);
    };
    sphinx(".. automodule:: p.b\n   :members:\n", "p/b.py", Yes);
    sphinx(".. autoclass:: p.b.C\n", "src/p/b.py", Yes);
    sphinx(".. autofunction:: p.f\n", "p/__init__.py", Yes);
    sphinx(
        ".. currentmodule:: p\n\n.. autofunction:: f\n",
        "src/p/__init__.py",
        Yes,
    );
    sphinx(
        ".. autosummary::\n   :nosignatures:\n\n   ~p.b.C\n   p.c.f\n",
        "p/c.py",
        Yes,
    );
    sphinx(".. module:: p.b\n", "p/b.py", No);
    sphinx(".. automodule:: other.b\n", "p/b.py", No);
    let site = SiteTest::empty();
    site.write("docs/conf.py", "project = 'a'\n");
    site.write("docs/a.rst", ".. automodule:: p.b\n");
    site.write("docs/_build/html/a.html", page(""))
        .write(".gitignore", "_build\n");
    site.write("src/p/b.py", "a\n").commit(FIRST);
    site.write("src/p/b.py", "b\n").commit(LATER);
    let arguments = ["explain", "docs", "--base-url", "https://example.com/"];
    let explained = site.waypost(&arguments).succeeded().stdout;
    assert!(explained.contains("2024-06-01"), "{explained}");

    let mkdocs = check_mkdocs;
    let enabled = "plugins: [mkdocstrings]\n";
    mkdocs(enabled, "::: p.b.C\n    options: {}\n", "src/p/b.py", Yes);
    mkdocs(enabled, "```\n::: p.b\n```\n", "p/b.py", No);
    let in_lib = "plugins:\n- mkdocstrings:\n    handlers: {python: {paths: [lib]}}\n";
    mkdocs(in_lib, "::: p\n", "lib/p.py", Yes);
    mkdocs("plugins: [search]\n", "::: p\n", "p.py", No);
}

#[test]
fn shortcodes_with_files_and_resources_of_bundles_count_in_hugo() {
    let check = |text, included, counts| {
        HUGO.check(("content/a.md", text), "a/index.html", included, counts);
    };
    check("{{< include \"b.md\" >}}\n", "content/b.md", Yes);
    check("{{% include \"/x/b.md\" %}}\n", "content/x/b.md", Yes);
    check("{{< readfile lang=\"c\" file=\"x/b.c\" >}}\n", "x/b.c", Yes);
    check("{{</* include \"b.md\" */>}}\n", "content/b.md", No);
    check("{{< figure src=\"b.md\" >}}\n", "content/b.md", No);
    let of_bundle = |included, counts| {
        HUGO.check(
            ("content/a/index.md", "a\n"),
            "a/index.html",
            included,
            counts,
        );
    };
    of_bundle("content/a/b.md", Yes);
    of_bundle("content/a/x/b.md", Yes);
    of_bundle("content/a/b.png", No);
    of_bundle("content/b.md", No);
}

#[test]
fn content_in_includes_counts_in_jekyll_but_templates_and_variables_do_not() {
    let check = |text, included, counts| {
        let text = format!("---\n---\n{text}\n");
        JEKYLL.check(("x/a.md", &text), "x/a.html", included, counts);
    };
    check("{% include_relative b.md %}", "x/b.md", Yes);
    check("{%- include b.md title=\"c\" -%}", "_includes/b.md", Yes);
    check("{% include_cached b.md %}", "_includes/b.md", Yes);
    check("{% include b.html %}", "_includes/b.html", No);
    check("{% include {{ page.name }}/b.md %}", "_includes/b.md", No);
}

#[test]
fn directives_that_read_files_count_in_sphinx_outside_of_fenced_code() {
    let rst = |text, included, counts| {
        SPHINX.check(("x/a.rst", text), "x/a.html", included, counts);
    };
    rst(".. include:: ../b.rst\n", "b.rst", Yes);
    rst(".. note::\n\n   .. include:: /y/b.txt\n", "y/b.txt", Yes);
    rst(".. literalinclude:: b.py\n   :lines: 1\n", "x/b.py", Yes);
    rst(
        ".. csv-table:: A\n   :header: c\n   :file: b.csv\n",
        "x/b.csv",
        Yes,
    );
    rst(".. include:: <b.txt>\n", "x/b.txt", No);
    let myst = |text, included, counts| {
        SPHINX.check(("x/a.md", text), "x/a.html", included, counts);
    };
    myst("```{include} ../b.md\n```\n", "b.md", Yes);
    myst(":::{literalinclude} b.py\n:::\n", "x/b.py", Yes);
    myst("```{csv-table} A\n:file: b.csv\n```\n", "x/b.csv", Yes);
    myst("````\n```{include} b.md\n```\n````\n", "x/b.md", No);
}

#[test]
fn partials_and_raw_imports_count_in_docusaurus_and_astro_but_components_do_not() {
    let docusaurus = |text, included, counts| {
        DOCUSAURUS.check(("docs/a.mdx", text), "docs/a/index.html", included, counts);
    };
    docusaurus("import B from './_b.mdx';\n\n<B />\n", "docs/_b.mdx", Yes);
    docusaurus("import B from \"@site/x/_b.md\"\n", "x/_b.md", Yes);
    docusaurus("import B from '!!raw-loader!./b.rs';\n", "docs/b.rs", Yes);
    docusaurus("import B from './B.jsx';\n", "docs/B.jsx", No);
    docusaurus("```\nimport B from './_b.mdx';\n```\n", "docs/_b.mdx", No);
    let astro = |text, included, counts| {
        ASTRO.check(("src/pages/a.mdx", text), "a/index.html", included, counts);
    };
    astro("import B from '../parts/b.mdx';\n", "src/parts/b.mdx", Yes);
    astro("import b from '../b.rs?raw';\n", "src/b.rs", Yes);
    astro("import B from '../B.astro';\n", "src/B.astro", No);
}

#[test]
fn includes_and_snippets_count_in_vitepress() {
    let check = |text, included, counts| {
        VITEPRESS.check(("x/a.md", text), "x/a.html", included, counts);
    };
    check("<!--@include: ./b.md-->\n", "x/b.md", Yes);
    check("<!-- @include: @/y/b.md{1,5} -->\n", "y/b.md", Yes);
    check("<<< @/y/b.js#part{2 js}\n", "y/b.js", Yes);
    check("```\n<<< ./b.js\n```\n", "x/b.js", No);
    check("<!-- include: ./b.md -->\n", "x/b.md", No);
}

#[test]
fn files_that_shortcodes_read_count_in_zola() {
    let check = |text, included, counts| {
        let text = format!("+++\n+++\n{text}\n");
        ZOLA.check(("content/a.md", &text), "a/index.html", included, counts);
    };
    check("{{ load_data(path=\"data/b.csv\") }}", "data/b.csv", Yes);
    check("{{ include(path=\"@/b.md\") }}", "content/b.md", Yes);
    check("{{/* include(path=\"@/b.md\") */}}", "content/b.md", No);
    check("{{ youtube(id=\"b.md\") }}", "b.md", No);
}

#[test]
fn asciidoc_includes_count() {
    let check = |text, included, counts| {
        HUGO.check(("content/a.adoc", text), "a/index.html", included, counts);
    };
    check("include::b.adoc[tag=c]\n", "content/b.adoc", Yes);
    check("\\include::b.adoc[]\n", "content/b.adoc", No);
    check("include::{dir}/b.adoc[]\n", "content/b.adoc", No);
}

#[test]
fn includes_are_followed_through_other_files_and_in_circles() {
    let site = MDBOOK.site(("src/a.md", "{{#include x/b.md}}\n"), "a.html");
    site.write("src/c.md", "c\n").write("book/c.html", page(""));
    site.write("src/x/b.md", "{{#include d.rs}} {{#include ../a.md}}\n");
    site.write("src/x/d.rs", "d\n").commit(FIRST);
    site.write("src/x/d.rs", "e\n").commit(LATER);
    let expected = [pair("a.html", "src/x/d.rs"), pair("c.html", "src/c.md")];
    assert_eq!(site.explained("dated_by"), expected);
}

#[test]
fn sphinx_resolves_nested_includes_from_the_document_as_it_does() {
    let site = SPHINX.site(("x/a.rst", ".. include:: ../y/b.txt\n"), "x/a.html");
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
    let site = MDBOOK.site(("src/a.md", "{{#include b.md}}\n"), "a.html");
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
    let site = MDBOOK.site(("src/a.md", "{{#include b.md}}\n"), "a.html");
    site.write("src/b.md", "b\n").commit(FIRST);
    site.write("src/b.md", "c\n");
    let commit = site.commit(LATER);
    let text = site.waypost(&["explain", "a.html"]).succeeded().stdout;
    assert!(
        text.contains("2024-06-01T00:00:00Z (git: src/b.md)"),
        "{text}"
    );
    assert!(text.contains(&commit), "{text}");
}

#[test]
fn a_source_that_only_the_page_names_has_includes_too() {
    let site = MDBOOK.site(("src/a.md", "{{#include b.md}}\n"), "other.html");
    site.write(
        "book/other.html",
        page("<meta name=\"waypost:source\" content=\"src/a.md\">"),
    );
    site.write("src/b.md", "b\n").commit(FIRST);
    site.write("src/b.md", "c\n").commit(LATER);
    assert_eq!(site.explained("dated_by"), [pair("other.html", "src/b.md")]);
}
