//! Object directories of other repositories that a repository borrows from (`gitrepository-layout`).

use std::fs;
use std::path::{Path, PathBuf};

use super::repository::{common_dir, native};

/// The first directory that `objects/info/alternates` names and that does not exist.
pub(super) fn missing_alternate(root: &Path) -> Option<PathBuf> {
    let objects = common_dir(&root.join(".git")).ok()?.join("objects");
    let listed = fs::read(objects.join("info/alternates")).ok()?;
    listed.split(|&byte| byte == b'\n').find_map(|line| {
        let dir = objects.join(native(line).ok().filter(|_| !line.is_empty())?);
        (!line.starts_with(b"#") && !dir.exists()).then_some(dir)
    })
}
