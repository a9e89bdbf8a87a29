//! Compares the page reader with html5ever, which builds the whole tree as a browser does.
//!
//! Both report the statements of generated pages, and of a directory of real ones if one is given.
//! Places are not compared (a tree has none), nor is the order of statements (a tree moves
//! misplaced elements, such as those between the cells of a table).

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests set up files, run programs and compare with the system"
)]

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, ns, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use page_signals::{FileContent, PageFacts, PageReader, ReadOptions, Region, text_of};
use proptest::prelude::*;
use rayon::prelude::*;
use std::path::Path;

/// Statements as text, sorted.
type Statements = Vec<String>;

fn said_by_reader(facts: &PageFacts) -> Statements {
    let mut said = Vec::new();
    let metas = [
        ("robots", &facts.robots),
        ("lookalike", &facts.robots_lookalikes),
        ("refresh", &facts.refreshes),
    ];
    for (kind, tags) in metas {
        said.extend(tags.iter().map(|tag| {
            format!(
                "{kind} {:?} {}={}",
                tag.value.region, tag.value.name, tag.value.content
            )
        }));
    }
    for link in facts.canonicals.iter().map(|link| &link.value) {
        said.push(format!(
            "canonical {:?} {} {}",
            link.region, link.href, link.qualified
        ));
    }
    for link in facts.alternates.iter().map(|link| &link.value) {
        said.push(format!(
            "alternate {:?} {} {}",
            link.region, link.hreflang, link.href
        ));
    }
    said.extend(facts.base.iter().map(|base| format!("base {}", base.value)));
    said.extend(
        facts
            .modified
            .iter()
            .map(|modified| format!("modified {}", modified.value)),
    );
    said.extend(
        facts
            .source_hint
            .iter()
            .map(|hint| format!("source {}", hint.value)),
    );
    said.sort();
    said
}

fn said_by_tree(page: &str) -> Statements {
    let mut tree = Tree::default();
    tree.walk(page, None);
    tree.said
        .extend(tree.base.map(|base| format!("base {base}")));
    tree.said.extend(
        tree.modified
            .map(|(_, modified)| format!("modified {modified}")),
    );
    tree.said
        .extend(tree.source_hint.map(|hint| format!("source {hint}")));
    tree.said.sort();
    tree.said
}

#[derive(Default)]
struct Tree {
    said: Statements,
    base: Option<String>,
    modified: Option<(usize, String)>,
    source_hint: Option<String>,
}

struct Attributes(Vec<(String, String)>);

impl Attributes {
    fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(it, _)| it == name)
            .map(|(_, value)| value.as_str())
    }

    fn is(&self, name: &str, expected: &str) -> bool {
        self.get(name)
            .is_some_and(|value| value.trim().eq_ignore_ascii_case(expected))
    }
}

impl Tree {
    /// Records the statements of a page, all in `region` if one is given.
    fn walk(&mut self, page: &str, region: Option<Region>) {
        let dom = parse_document(RcDom::default(), ParseOpts::default()).one(page);
        let mut open: Vec<(Handle, Region)> =
            vec![(dom.document.clone(), region.unwrap_or(Region::Body))];
        while let Some((node, around)) = open.pop() {
            let mut inside = around;
            if let NodeData::Element { name, attrs, .. } = &node.data
                && name.ns == ns!(html)
            {
                if region.is_none() && &*name.local == "head" {
                    inside = Region::Head;
                }
                let attributes = attrs
                    .borrow()
                    .iter()
                    .map(|it| (it.name.local.to_string(), it.value.to_string()))
                    .collect();
                self.element(&name.local, &Attributes(attributes), around);
                if &*name.local == "noscript" && region.is_none() {
                    self.walk(&text_inside(&node), Some(Region::Noscript));
                }
            }
            open.extend(
                node.children
                    .borrow()
                    .iter()
                    .rev()
                    .map(|child| (child.clone(), inside)),
            );
        }
    }

    fn element(&mut self, name: &str, attributes: &Attributes, region: Region) {
        match name {
            "meta" => self.meta(attributes, region),
            "link" => self.link(attributes, region),
            "base" if region != Region::Noscript && self.base.is_none() => {
                self.base = attributes.get("href").map(str::to_owned);
            }
            _ => {}
        }
    }

    fn meta(&mut self, attributes: &Attributes, region: Region) {
        let content = attributes.get("content").unwrap_or_default();
        let is_robots = |attribute| {
            ["robots", "googlebot"]
                .iter()
                .any(|name| attributes.is(attribute, name))
        };
        if is_robots("name") {
            self.said.push(format!(
                "robots {region:?} {}={content}",
                attributes.get("name").unwrap_or_default()
            ));
        } else if is_robots("property") {
            self.said
                .push(format!("lookalike {region:?} property={content}"));
        }
        if attributes.is("http-equiv", "x-robots-tag") {
            self.said
                .push(format!("lookalike {region:?} http-equiv={content}"));
        }
        if let Some(name) = attributes
            .get("http-equiv")
            .filter(|name| name.eq_ignore_ascii_case("refresh") && !content.is_empty())
        {
            self.said
                .push(format!("refresh {region:?} {name}={content}"));
        }
        if region == Region::Noscript || content.trim().is_empty() {
            return;
        }
        let rank = match () {
            () if attributes.is("property", "article:modified_time") => Some(0),
            () if attributes.is("property", "og:updated_time") => Some(1),
            () if attributes.is("name", "last-modified") => Some(2),
            () if attributes.is("itemprop", "datemodified") => Some(3),
            () => None,
        };
        if let Some(rank) =
            rank.filter(|&rank| self.modified.as_ref().is_none_or(|&(best, _)| rank < best))
        {
            self.modified = Some((rank, content.to_owned()));
        }
        if attributes.is("name", "waypost:source") && self.source_hint.is_none() {
            self.source_hint = Some(content.to_owned());
        }
    }

    fn link(&mut self, attributes: &Attributes, region: Region) {
        let has = |word: &str| {
            let rel = attributes.get("rel").unwrap_or_default();
            rel.split_ascii_whitespace()
                .any(|it| it.eq_ignore_ascii_case(word))
        };
        let Some(href) = attributes.get("href").filter(|href| !href.is_empty()) else {
            return;
        };
        if has("canonical") {
            let qualified = ["hreflang", "lang", "media", "type"]
                .iter()
                .any(|name| attributes.get(name).is_some());
            self.said
                .push(format!("canonical {region:?} {href} {qualified}"));
        }
        if let Some(hreflang) = attributes.get("hreflang").filter(|_| has("alternate")) {
            self.said
                .push(format!("alternate {region:?} {hreflang} {href}"));
        }
    }
}

fn text_inside(node: &Handle) -> String {
    let text = |child: &Handle| match &child.data {
        NodeData::Text { contents } => contents.borrow().to_string(),
        _ => String::new(),
    };
    node.children.borrow().iter().map(text).collect()
}

/// Tags that state facts.
const STATEMENTS: &[&str] = &[
    "<meta name=robots content=noindex>",
    "<META NAME='googlebot' content=\"no&#105;ndex\"/>",
    "<meta property=robots content=none>",
    "<meta http-equiv=x-robots-tag content=none>",
    "<meta http-equiv=refresh content='0; url=/a?b&amp;c&copy=d'>",
    "<meta property=article:modified_time content=2024-01-01>",
    "<meta itemprop=dateModified content=2024-01-02>",
    "<meta name=waypost:source content=a.md>",
    "<link rel=canonical href=/a>",
    "<link\nrel=\"x Canonical\"\r\nhref = '/b' media=print>",
    "<link rel=alternate hreflang=de href=/de/>",
    "<base href=/base/>",
    "<base target=_top>",
    "<img src=a.png>",
    "<image src=b.png>",
];

/// Markup around the statements.
const SURROUNDINGS: &str = "\
    <!DOCTYPE html> <html> </html> <head> </head> <body> </body> <title> </title> <script> \
    </script> <style> </style> <noscript> </noscript> <template> </template> <textarea> \
    </textarea> <xmp> </xmp> <iframe> </iframe> <noframes> </noframes> <bgsound> <!-- --> <!--> \
    --!> <![CDATA[ ]]> <?x> <!x> <p> </p> <div> </div> <br> </br> <b> </b> <a\thref='>'> \
    <p\ttitle=\" \"> '> <li <main> <table> </table> <td> <object> </object> </ </a\tb=' < > /> \
    text &amp; \n \u{a0} é \" \0 <me\0ta>";

/// Markup inside `<svg>` and `<math>`.
const FOREIGN: &str = "\
    <g></g> <g/> <title></title> <desc><base\thref=/d></desc> <style> </style> <script> </script> \
    <svg/> <mi/> <!--<g>--> <p> text";

fn words(list: &'static str) -> impl Strategy<Value = String> {
    proptest::sample::select(list.split(' ').map(str::to_owned).collect::<Vec<_>>())
}

fn statement() -> impl Strategy<Value = String> {
    proptest::sample::select(STATEMENTS).prop_map(str::to_owned)
}

/// Foreign content is generated closed and not nested. In broken nesting (`<div><svg></div>`)
/// html5ever knows which elements an end tag closes; lol_html and we do not follow that.
fn foreign() -> impl Strategy<Value = String> {
    let inside = proptest::collection::vec(prop_oneof![statement(), words(FOREIGN)], 0..6);
    ("svg|math", inside).prop_map(|(root, inside)| format!("<{root}>{}</{root}>", inside.concat()))
}

fn page() -> impl Strategy<Value = String> {
    let piece = prop_oneof![4 => statement(), 10 => words(SURROUNDINGS), 1 => foreign()];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn check(page: &str) -> Result<(), TestCaseError> {
    let facts = PageReader::new(ReadOptions::default()).facts_of(page.as_bytes());
    // A tree builder accepts anything as a page; for us, control characters before any markup mean
    // binary data.
    if facts.content == FileContent::Binary {
        return Ok(());
    }
    prop_assert_eq!(said_by_reader(&facts), said_by_tree(page));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2048,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn generated_pages_have_the_statements_of_their_trees(page in page()) {
        check(&page)?;
    }
}

/// Reads the pages below the directory in `WAYPOST_HTML_CORPUS`.
#[test]
#[expect(
    clippy::print_stdout,
    reason = "the counts are the purpose of the test"
)]
#[ignore = "reads a directory of real pages, which takes minutes"]
fn real_pages_have_the_statements_of_their_trees() {
    let Some(corpus) = std::env::var_os("WAYPOST_HTML_CORPUS") else {
        panic!("set WAYPOST_HTML_CORPUS to a directory of HTML files");
    };
    let entries = walkdir::WalkDir::new(corpus)
        .sort_by_file_name()
        .into_iter();
    let entries = entries
        .map(|entry| entry.expect("the directory can be walked"))
        .filter(|entry| entry.file_type().is_file());
    let files: Vec<_> = entries
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension() == Some("html".as_ref()))
        .collect();
    let pages = files.len();
    let statements: usize = files
        .par_iter()
        .map_init(
            || PageReader::new(ReadOptions::default()),
            |reader, path| check_file(reader, path),
        )
        .sum();
    assert!(pages > 0, "no page below the directory");
    println!("{pages} pages, {statements} statements");
}

fn check_file(reader: &mut PageReader, path: &Path) -> usize {
    let open = || std::fs::File::open(path).expect("the file exists");
    let said = said_by_reader(&reader.read(&open()).expect("the file can be read"));
    let text = text_of(&open()).expect("the file was just read");
    assert_eq!(said, said_by_tree(&text), "{}", path.display());
    said.len()
}
