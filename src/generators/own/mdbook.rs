//! mdBook: the directory of its HTML, and its first chapter, which it also writes as `index.html`.

use std::path::Path;

use crate::files::tree::Tree;
use crate::generators::{Conventions, OwnConfig};
use sitemaps::site_paths::{SitePath, decode};

pub(super) struct Mdbook;

impl Conventions for Mdbook {
    /// With a second renderer, each has a directory.
    fn output_below(&self, config: &OwnConfig) -> Option<&'static str> {
        (config.keys("output").len() > 1).then_some("html")
    }

    /// The source of the first chapter, relative to the site root, from the list of chapters.
    fn front_page(&self, root: &Path, content: &str, tree: &Tree) -> Option<SitePath> {
        let text = tree.text(&root.join(content).join("SUMMARY.md")).ok()?;
        let path = SitePath::joined(content, first_link(&text)?);
        let file = path.below_dir(root);
        let metadata = tree.note_unknown(&file, file.metadata());
        let is_file = metadata.is_ok_and(|metadata| metadata.is_file());
        (is_file && !tree.is_escaped_by(&file)).then_some(path)
    }
}

/// The target of the first Markdown link that has one: `[Title](chapter.md)`.
fn first_link(text: &str) -> Option<String> {
    let text = without_comments(text);
    let mut targets = text
        .split("](")
        .skip(1)
        .map(|after| match after.strip_prefix('<') {
            Some(quoted) => quoted.split(['>', '\n']).next().unwrap_or_default(),
            None => after.split([')', ' ', '\n']).next().unwrap_or_default(),
        });
    let first = targets.find(|target| !target.is_empty() && !target.contains(':'))?;
    Some(String::from_utf8_lossy(&decode(first)).into_owned())
}

/// Removes comments, so that a commented-out chapter does not count.
fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let before = parts.next().unwrap_or_default().to_owned();
    before
        + &parts
            .filter_map(|part| part.split_once("-->"))
            .map(|(_, after)| after)
            .collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_chapter_is_the_first_link() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(first_link(text).as_deref(), expected, "{text}");
        };
        check(
            "# Summary\n\n[Intro](intro.md)\n- [One](one.md)\n",
            Some("intro.md"),
        );
        check("- [Draft]()\n- [One](./one.md)\n", Some("./one.md"));
        check(
            "see [docs](https://example.com/)\n- [One](one.md \"title\")",
            Some("one.md"),
        );
        check(
            "<!-- - [Old](old.md) -->\n- [One](one.md)\n<!-- [Two](two.md) -->",
            Some("one.md"),
        );
        check("<!-- - [Old](old.md)\n", None);
        check("- [One](my%20one.md)", Some("my one.md"));
        check("- [One](<my one.md>)", Some("my one.md"));
        check("# Summary\n", None);
    }
}
