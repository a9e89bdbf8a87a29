//! The submodules of a repository, from the text of its `.gitmodules`.

use std::io;
use std::path::{Component, PathBuf};

use super::git_notation;

/// A submodule as `.gitmodules` describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submodule {
    /// Its directory, relative to the root of the repository.
    pub dir: PathBuf,
    /// The URL that it is cloned from; relative URLs begin with `./` or `../`.
    pub url: String,
}

/// Returns the submodules in the text of a `.gitmodules` file. A path that leaves the repository
/// is ignored, as Git does.
pub fn submodules_in(gitmodules: &str) -> io::Result<Vec<Submodule>> {
    let listed = git_notation::submodules(gitmodules)?.into_iter();
    let submodules = listed.map(|(dir, url)| Submodule { dir, url });
    Ok(submodules
        .filter(|submodule| {
            let mut parts = submodule.dir.components();
            parts.all(|part| matches!(part, Component::Normal(_)))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_submodule_has_a_directory_inside_and_a_url() {
        let text = "[submodule \"a\"]\n\tpath = content/a\n\turl = https://example.com/o/a.git\n\
                    [submodule \"up\"]\n path = ../up\n url = https://example.com/o/up\n\
                    [submodule \"no\"]\n path = no\n\
                    [submodule \"b\"]\n url = \"../b\" # beside\n path = b\n";
        let found = submodules_in(text).expect("it is valid");
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.dir.to_str(), &*one.url))
            .collect();
        let expected = [
            (Some("content/a"), "https://example.com/o/a.git"),
            (Some("b"), "../b"),
        ];
        assert_eq!(found, expected);
        assert!(submodules_in("[submodule").is_err());
    }
}
