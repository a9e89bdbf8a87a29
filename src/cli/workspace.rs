//! Paths as GitHub takes them, in annotations and in SARIF: from the root of the repository that a job has checked out.

use std::collections::BTreeMap;
use std::path::Path;

use crate::bounds::absolute;
use crate::road::Survey;

/// A path from the root of the workspace that the environment names, where it lies in there; else as people know it.
pub(super) fn in_workspace(environment: &BTreeMap<String, String>, path: &Path) -> String {
    let absolute = absolute(path);
    let workspace = environment.get("GITHUB_WORKSPACE").map(Path::new);
    let below = workspace.and_then(|workspace| absolute.strip_prefix(workspace).ok());
    below.map_or_else(|| Survey::shown(path), |below| below.to_string_lossy().replace('\\', "/"))
}
