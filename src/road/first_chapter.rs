//! mdBook's first chapter: it is written a second time, as `index.html`.

use super::survey::Survey;
use crate::location::SitePath;

/// The source of the first chapter, below the site root, as the list of chapters names it.
pub(super) fn first_chapter(survey: &Survey<'_>) -> Option<SitePath> {
    let (_, generator) = survey.site.generator?;
    let summary = generator.first_chapter.as_ref()?;
    let root = generator.roots.first()?;
    let folder = root.folder(&survey.site.config);
    let text = survey.reach().read_text(&survey.site.root.join(folder).join(summary)).ok()?;
    let target = first_link(&text)?;
    let path = format!("{}/{}", folder.trim_matches('/'), target.trim_start_matches("./"));
    let path = SitePath::from(path.as_str());
    let file = path.below_folder(&survey.site.root);
    (file.is_file() && !survey.reach().is_left_by(&file)).then_some(path)
}

/// The target of the first Markdown link that names one: `[Title](chapter.md)`.
fn first_link(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        rest = &rest[at + 2..];
        let target = rest.split([')', ' ', '\n']).next().unwrap_or_default();
        if !target.is_empty() && !target.contains(':') {
            return Some(target.trim_matches(['<', '>']));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_chapter_is_the_first_link() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(first_link(text), expected, "{text}");
        check("# Summary\n\n[Intro](intro.md)\n- [One](one.md)\n", Some("intro.md"));
        check("- [Draft]()\n- [One](./one.md)\n", Some("./one.md"));
        check("see [docs](https://example.com/)\n- [One](one.md \"title\")", Some("one.md"));
        check("# Summary\n", None);
    }
}
