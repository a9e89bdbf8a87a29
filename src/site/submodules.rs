//! The submodules of a repository.

use std::path::Path;

use crate::files::tree::{MAX_FILE_BYTES, Tree, read_text};
use git_last_modified::{Submodule, submodules_in};

/// The submodules that `.gitmodules` lists. A file that cannot be parsed lists none.
pub(crate) fn listed_submodules(root: &Path, tree: &Tree) -> Vec<Submodule> {
    let list = root.join(".gitmodules");
    if !tree.is_file(&list) {
        return Vec::new();
    }
    let text = tree.note(&list, read_text(&list, MAX_FILE_BYTES));
    let listed = text.and_then(|text| submodules_in(&text));
    listed.unwrap_or_default()
}
