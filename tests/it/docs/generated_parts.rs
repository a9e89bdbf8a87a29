//! The generated parts of a page: between `<!-- generated: NAME -->` and `<!-- end -->`, and the first
//! paragraph below a heading that a code or a setting has. The rest of the page is written by hand and kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use walkdir::WalkDir;

use crate::expected::is_to_be_rewritten;
use crate::platform::slashed;

const END: &str = "<!-- end -->\n";

/// The file of a page, by its path in `docs/src`.
pub(super) fn page_file(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs/src")
        .join(page)
}

/// The text of a page, which is empty if there is none.
pub(super) fn page_text(page: &str) -> String {
    fs::read_to_string(page_file(page)).unwrap_or_default()
}

/// All pages, sorted.
pub(super) fn all_pages() -> Vec<String> {
    let top = page_file("");
    let files = WalkDir::new(&top).into_iter();
    let files = files.map(|file| file.expect("the directory can be listed").into_path());
    let pages = files.filter_map(|file| {
        let page = file.strip_prefix(&top).ok()?.to_str()?;
        (file.extension() == Some("md".as_ref())).then(|| slashed(page))
    });
    let mut pages: Vec<String> = pages.collect();
    pages.sort();
    pages
}

/// Replaces the generated part of this name, or returns `None` if the page has none.
pub(super) fn with_part(page: &str, name: &str, part: &str) -> Option<String> {
    let start = start_of(name);
    let (before, rest) = page.split_once(&start)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{}{after}", marked(name, part)))
}

/// A generated part with its marks.
fn marked(name: &str, part: &str) -> String {
    format!("{}{}\n{END}", start_of(name), part.trim_end())
}

/// Replaces the heading and the first paragraph of a section by `head`, which has both, or returns `None`
/// if the page has no such heading.
pub(super) fn with_head(page: &str, head: &str) -> Option<String> {
    let (heading, _) = head.split_once('\n')?;
    let (before, section) = page.split_once(&format!("\n{heading}\n\n"))?;
    let after = section.find("\n\n").map_or("", |end| &section[end + 1..]);
    Some(format!("{before}\n{head}{after}"))
}

/// The line before a generated part.
fn start_of(name: &str) -> String {
    format!("<!-- generated: {name} -->\n")
}

/// Asserts that a page is what `new_text` makes of it, or writes that.
#[track_caller]
pub(super) fn assert_page(page: &str, new_text: impl FnOnce(&str) -> String) {
    // Tests that rewrite parts of the same page run at the same time.
    static WRITER: Mutex<()> = Mutex::new(());
    let _writer = WRITER.lock().unwrap_or_else(PoisonError::into_inner);
    let old = page_text(page);
    let text = new_text(&old);
    if old == text {
        return;
    }
    assert!(
        is_to_be_rewritten(),
        "docs/src/{page} differs; set UPDATE_EXPECTED=1 to rewrite it. New text:\n{text}"
    );
    let file = page_file(page);
    fs::create_dir_all(file.parent().expect("a page is in a directory"))
        .expect("the directory can be created");
    fs::write(file, text).expect("the page can be written");
}
