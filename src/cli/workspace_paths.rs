//! Paths for annotations, relative to the repository that a job has checked out.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use site_paths::containment::{absolute, strip_canonical_prefix};
use site_paths::display_path;

/// Formats a path relative to the workspace of the job if it is inside, otherwise for display.
///
/// GitHub supports neither `..` nor symbolic links, so the path of an existing file is resolved.
pub(super) fn workspace_path(environment: &BTreeMap<String, String>, path: &Path) -> String {
    let below = environment.get("GITHUB_WORKSPACE").and_then(|workspace| {
        let workspace = Path::new(workspace);
        let folded = || {
            Some(
                without_parent_dirs(&absolute(path))
                    .strip_prefix(workspace)
                    .ok()?
                    .to_owned(),
            )
        };
        strip_canonical_prefix(workspace, path).or_else(folded)
    });
    below.map_or_else(
        || display_path(path),
        |below| below.to_string_lossy().replace('\\', "/"),
    )
}

/// Removes `..` from an absolute path.
fn without_parent_dirs(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut folded, part| {
        if part == Component::ParentDir {
            folded.pop();
        } else {
            folded.push(part);
        }
        folded
    })
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(unix)]
    fn paths_in_the_workspace_have_neither_dots_nor_links() {
        use super::*;
        let dir = tempfile::tempdir().expect("a temporary directory can be created");
        let root = dir.path().canonicalize().expect("it exists");
        let at = |path: &str| root.join(path);
        std::fs::create_dir_all(at("real/docs/content")).expect("the directory can be created");
        std::fs::create_dir_all(at("real/tools")).expect("the directory can be created");
        std::fs::write(at("real/docs/content/a.md"), "").expect("the file can be written");
        std::fs::write(at("outside.md"), "").expect("the file can be written");
        std::os::unix::fs::symlink("real", at("link")).expect("the link can be created");
        let check = |workspace: &str, path: &str, expected: &str| {
            let workspace = at(workspace).to_string_lossy().into_owned();
            let environment = BTreeMap::from([("GITHUB_WORKSPACE".to_owned(), workspace)]);
            assert_eq!(workspace_path(&environment, &at(path)), expected, "{path}");
        };
        check(
            "real",
            "real/tools/../docs/content/a.md",
            "docs/content/a.md",
        );
        check("link", "real/docs/content/a.md", "docs/content/a.md");
        check("real", "link/docs/content/a.md", "docs/content/a.md");
        check("real", "real/tools/../docs/none.md", "docs/none.md");
        let outside = at("outside.md");
        check("real", "outside.md", &outside.to_string_lossy());
    }
}
