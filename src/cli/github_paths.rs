//! Paths as GitHub takes them, in annotations and in SARIF: from the root of the repository that a job has checked out.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::bounds::{absolute, really_below};
use crate::pipeline::Survey;

/// A path from the root of the workspace that the environment names, where it lies in there; else as people know it.
///
/// GitHub knows no `..` and no links: where the file is there, it is named by where it really lies.
pub(super) fn in_workspace(environment: &BTreeMap<String, String>, path: &Path) -> String {
    let below = environment.get("GITHUB_WORKSPACE").and_then(|workspace| {
        let workspace = Path::new(workspace);
        let folded = || {
            Some(
                folded(&absolute(path))
                    .strip_prefix(workspace)
                    .ok()?
                    .to_owned(),
            )
        };
        really_below(workspace, path).or_else(folded)
    });
    below.map_or_else(
        || Survey::shown(path),
        |below| below.to_string_lossy().replace('\\', "/"),
    )
}

/// An absolute path without `..`.
fn folded(path: &Path) -> PathBuf {
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
    use super::*;

    #[test]
    #[cfg(unix)]
    fn paths_in_the_workspace_have_neither_dots_nor_links() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it exists");
        let at = |path: &str| root.join(path);
        std::fs::create_dir_all(at("real/docs/content")).expect("a folder");
        std::fs::create_dir_all(at("real/tools")).expect("a folder");
        std::fs::write(at("real/docs/content/a.md"), "").expect("a file");
        std::fs::write(at("outside.md"), "").expect("a file");
        std::os::unix::fs::symlink("real", at("link")).expect("a link");
        let check = |workspace: &str, path: &str, expected: &str| {
            let workspace = at(workspace).to_string_lossy().into_owned();
            let environment = BTreeMap::from([("GITHUB_WORKSPACE".to_owned(), workspace)]);
            assert_eq!(in_workspace(&environment, &at(path)), expected, "{path}");
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
