//! Finds a page's links to its source in a forge: "edit this page", "suggest an edit", "improve
//! this document".
//!
//! Such links are in bodies, which are not parsed otherwise, so a byte search finds them. An `<a>`
//! counts if its URL opens a forge's editor, or if its URL shows a file there and its text or
//! attributes describe it as an edit link. Whether the file exists is checked by the caller.

use std::fs::File;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::attributes::{Tag, TagReader};
use super::page_text::page_text;

/// Path segments between the repository and the branch in URLs of GitHub, GitLab, Gitea, Forgejo
/// and Bitbucket.
const FORMS: [(&str, EditLinkForm); 6] = [
    ("/edit/", EditLinkForm::Editor),
    ("/_edit/", EditLinkForm::Editor),
    ("/blob/", EditLinkForm::View),
    ("/tree/", EditLinkForm::View),
    ("/src/", EditLinkForm::View),
    ("/raw/", EditLinkForm::View),
];

static SEARCHER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::new(FORMS.map(|(word, _)| word)).expect("six short words fit in an automaton")
});

/// Words that mark a link to a file as an edit link, in its text or in an attribute that describes
/// it. A URL that opens an editor needs none, so it works in every language.
const WORDS: [&str; 4] = ["edit", "improve", "suggest", "fix"];

/// Attributes that describe a link.
const DESCRIBING: [&str; 4] = ["title", "aria-label", "rel", "class"];

/// Size limit of a tag, and of the text searched between `<a>` and `</a>`, in bytes.
const LONGEST: usize = 2048;

/// Link to the source of a page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EditLink {
    /// Branch and path after the form, still encoded: `main/docs/a.md`.
    pub branch_and_path: String,
    /// The forge's action on the file.
    pub form: EditLinkForm,
    /// Host and path of the repository: `forge.example/o/r`.
    pub repository: String,
}

/// A forge's action on the linked file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EditLinkForm {
    /// Shows it.
    View,
    /// Opens it in an editor.
    Editor,
}

/// Finds the links to sources in a page. A file that cannot be read has none.
pub fn edit_links_of(page: &File) -> Vec<EditLink> {
    page_text(page).map_or_else(|_| Vec::new(), |text| edit_links(&text))
}

fn edit_links(text: &[u8]) -> Vec<EditLink> {
    let mut links = Vec::new();
    let mut reader = TagReader::default();
    let mut searched = 0;
    for found in SEARCHER.find_iter(text) {
        if found.start() < searched {
            continue;
        }
        let earliest = searched.max(found.start().saturating_sub(LONGEST));
        let Some(before) = memchr::memrchr(b'<', &text[earliest..found.start()]) else {
            continue;
        };
        let start = earliest + before;
        let piece = &text[start..text.len().min(start + LONGEST)];
        if !piece.get(1).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let tag = reader.read(piece);
        searched = start + tag.map_or(piece.len(), |(_, length)| length);
        let Some((tag, _)) = tag.filter(|(tag, _)| tag.is("a")) else {
            continue;
        };
        let content = &text[searched..text.len().min(searched + LONGEST)];
        let content = &content[..memchr::memmem::find(content, b"</a").unwrap_or(content.len())];
        links.extend(source_in(tag).filter(|link| {
            link.form == EditLinkForm::Editor || is_described_as_edit_link(tag, content)
        }));
    }
    links.sort();
    links.dedup();
    links
}

fn is_described_as_edit_link(tag: Tag<'_>, content: &[u8]) -> bool {
    let described = |text: &[u8]| WORDS.iter().any(|word| has_word(text, word));
    tag.attributes().iter().any(|attribute| {
        DESCRIBING.iter().any(|name| attribute.is(name)) && described(attribute.value().as_bytes())
    }) || described(content)
}

/// Whether the text contains a word, which must be lower case: `Edit` and `edit-link` match,
/// `credits` and `EditLink` do not.
fn has_word(text: &[u8], word: &str) -> bool {
    let word = word.as_bytes();
    let is_letter = |at: Option<usize>| {
        at.and_then(|at| text.get(at))
            .is_some_and(u8::is_ascii_alphabetic)
    };
    text.windows(word.len()).enumerate().any(|(at, window)| {
        window.eq_ignore_ascii_case(word)
            && !is_letter(at.checked_sub(1))
            && !is_letter(Some(at + word.len()))
    })
}

/// Parses the URL of a link.
fn source_in(tag: Tag<'_>) -> Option<EditLink> {
    let href = tag.value("href")?;
    let parts = ForgeUrl::of(href.trim())?;
    let (form, branch_and_path) = parts.linked?;
    Some(EditLink {
        branch_and_path: branch_and_path.to_owned(),
        form,
        repository: parts.repository.to_owned(),
    })
}

/// Returns host and path of the repository in an absolute URL: that of a repository, or of a file or
/// directory that a forge shows or edits.
pub fn repository_in(url: &str) -> Option<&str> {
    Some(ForgeUrl::of(url)?.repository)
}

/// The parts of a forge's URL.
struct ForgeUrl<'u> {
    repository: &'u str,
    /// The forge's action, with the branch and path after it.
    linked: Option<(EditLinkForm, &'u str)>,
}

impl<'u> ForgeUrl<'u> {
    fn of(url: &'u str) -> Option<Self> {
        let url = ["https://", "http://", "//"]
            .into_iter()
            .find_map(|scheme| url.strip_prefix(scheme))?;
        let url = url.split(['?', '#']).next()?;
        let Some(found) = SEARCHER.find(url) else {
            return Some(Self {
                repository: url,
                linked: None,
            });
        };
        let (_, form) = FORMS[found.pattern().as_usize()];
        let repository = &url[..found.start()];
        Some(Self {
            // GitLab separates the repository from its actions.
            repository: repository.strip_suffix("/-").unwrap_or(repository),
            linked: Some((form, &url[found.end()..])),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_in_every_form_and_notation() {
        let check = |html: &str, expected: &[&str]| {
            let links: Vec<String> = edit_links(html.as_bytes())
                .into_iter()
                .map(|link| link.branch_and_path)
                .collect();
            assert_eq!(links, expected, "{html}");
        };
        let a = "https://forge.example/o/r";
        check(
            &format!("<a href={a}/edit/main/docs/a.md>Edit this page</a>"),
            &["main/docs/a.md"],
        );
        check(
            &format!("<A class=x HREF='{a}/-/blob/main/a%20b.md?plain=1#L3'>\n<b>Improve</b></A>"),
            &["main/a%20b.md"],
        );
        check(
            &format!("<a title=\"Suggest an edit\" href=\"{a}/_edit/main/a.md\"><svg/></a>"),
            &["main/a.md"],
        );
        check(
            &format!("<a rel=edit href=\"{a}/raw/main/a.md\"></a>"),
            &["main/a.md"],
        );
        check(
            &format!("<a href={a}/src/branch/main/a.md aria-label='edit'></a>"),
            &["branch/main/a.md"],
        );
        check(&format!("<a href={a}/tree/main/a.md>View source</a>"), &[]);
        check(&format!("<a href={a}/tree/main/a.md>Credits</a>"), &[]);
        check(
            &format!("<a href={a}/blob/main/a.md><code>EditLink.md</code></a>"),
            &[],
        );
        check(
            &format!("<a href={a}/edit/main/a.md>पृष्ठ</a>"),
            &["main/a.md"],
        );
        check(
            &format!("<a href={a}/-/edit/main/a.md><svg/></a>"),
            &["main/a.md"],
        );
        check(
            &format!("<a href={a}/_edit/main/a.md>Modifier</a>"),
            &["main/a.md"],
        );
        check(&format!("<a href={a}/blob/main/a.md>पृष्ठ</a>"), &[]);
        check("<a href=/edit/main/a.md>Edit</a>", &[]);
        check(&format!("<link rel=edit href={a}/edit/main/a.md>"), &[]);
        check(&format!("<p>{a}/edit/main/a.md edit</p>"), &[]);
        let both = format!(
            "<a href={a}/edit/main/b.md>Edit</a> <a href={a}/blob/main/a.md class=edit>x</a>"
        );
        check(&both.repeat(2), &["main/a.md", "main/b.md"]);
    }

    #[test]
    fn a_link_names_its_repository() {
        let check = |url: &str, expected: &str| {
            let links = edit_links(format!("<a href={url}>Edit</a>").as_bytes());
            assert_eq!(links[0].repository, expected, "{url}");
        };
        check(
            "https://forge.example/o/r/edit/main/a.md",
            "forge.example/o/r",
        );
        check(
            "//forge.example/g/s/r/-/blob/main/a.md",
            "forge.example/g/s/r",
        );
    }

    #[test]
    fn a_page_full_of_forms_is_searched_in_linear_time() {
        let text = "<a /edit/ ".repeat(1 << 17);
        assert_eq!(edit_links(text.as_bytes()), []);
    }
}
