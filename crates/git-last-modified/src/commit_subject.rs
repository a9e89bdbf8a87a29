//! Reads the subject line of a commit.

use std::path::Path;

use super::repository::Repository;
use super::{GivenRepository, ObjectId, RepositoryError, open_given, source_files};

/// Returns the subject of the commit that dated a source, like `git log --format=%s`.
///
/// `None` if the source is not in a repository or the commit has no message.
pub fn subject_of(
    source: &Path,
    given: Option<&GivenRepository>,
    commit: &ObjectId,
) -> Result<Option<String>, RepositoryError> {
    // A `GIT_DIR` that cannot be opened has already failed the run.
    let given = given.and_then(|given| open_given(given).ok());
    let files = [source.to_owned()];
    let groups = source_files::group(&files, given.as_ref().map(Repository::work_tree));
    let Some(root) = groups.into_keys().next() else {
        return Ok(None);
    };
    let repository = match given.filter(|given| given.work_tree() == root) {
        Some(given) => given,
        None => Repository::open(&root.join(".git"), None)?,
    };
    let raw = repository.objects().raw_commit(commit)?;
    Ok(subject(&raw))
}

/// Joins the lines of the message's first paragraph with spaces.
fn subject(raw: &[u8]) -> Option<String> {
    let at = memchr::memmem::find(raw, b"\n\n")?;
    let (header, message) = raw.split_at(at);
    let label = header
        .split(|&byte| byte == b'\n')
        .find_map(|line| line.strip_prefix(b"encoding "));
    let encoding = label
        .and_then(encoding_rs::Encoding::for_label)
        .unwrap_or(encoding_rs::UTF_8);
    let (text, _) = encoding.decode_without_bom_handling(message);
    let lines = text
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty());
    let subject = lines.collect::<Vec<_>>().join(" ");
    (!subject.is_empty()).then_some(subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subject_is_the_first_paragraph() {
        let check = |raw: &[u8], expected: Option<&str>| {
            assert_eq!(subject(raw).as_deref(), expected, "{raw:?}");
        };
        check(b"tree a\n\nAdd a page\n", Some("Add a page"));
        check(
            b"tree a\n\n\n  Add a\npage \n\nand say why\n",
            Some("Add a page"),
        );
        check(
            b"tree a\nencoding ISO-8859-1\n\nCaf\xe9\n",
            Some("Caf\u{e9}"),
        );
        check(b"tree a\n\n", None);
        check(b"tree a\n", None);
    }
}
