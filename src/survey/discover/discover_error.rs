//! Errors that prevent the search for pages, each with its remedy.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::io_failure::{IoFailure, machine_hint, reading_hint};
use crate::files::tree::Tree;
use crate::findings::Hint;
use crate::generators::finder::dirs_with_pages;
use sitemaps::site_paths::{SitePath, display_path};

/// Error that prevents the search for pages.
#[derive(Debug, Error)]
pub enum DiscoverError {
    /// The output directory does not exist or cannot be opened.
    #[error("cannot open the output directory `{0}`: {1}")]
    OutputDir(PathBuf, io::Error),
    /// The output directory is a file.
    #[error("the output directory `{0}` is a file")]
    NotADirectory(PathBuf),
    /// A directory cannot be listed, so its pages are unknown.
    #[error("cannot list `{0}`: {1}; its pages are unknown")]
    Unlistable(SitePath, io::Error),
}

/// The commands for the directories with pages near one that does not exist.
fn pages_near(dir: &Path) -> Vec<String> {
    let existing = dir
        .ancestors()
        .skip(1)
        .map(|above| {
            if above == Path::new("") {
                Path::new(".")
            } else {
                above
            }
        })
        .find(|above| above.is_dir());
    let found = existing.map_or_else(Vec::new, |dir| dirs_with_pages(dir, &Tree::new(dir)));
    found
        .iter()
        .map(|dir| {
            format!(
                "`waypost -o {}`",
                display_path(dir.strip_prefix(".").unwrap_or(dir))
            )
        })
        .collect()
}

impl Hint for DiscoverError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            // Next.js writes files to publish only on request.
            Self::OutputDir(dir, error)
                if IoFailure::of(error) == IoFailure::Gone
                    && dir.with_file_name(".next").is_dir() =>
            {
                "set `output: \"export\"` in next.config.js, and build the site again"
            }
            Self::OutputDir(dir, error) if IoFailure::of(error) == IoFailure::Gone => {
                let named = pages_near(dir);
                if !named.is_empty() {
                    return Some(
                        format!("these directories have pages: {}", named.join(", ")).into(),
                    );
                }
                "build the site first, or pass the output directory: `waypost DIR`"
            }
            Self::OutputDir(_, error) => reading_hint(error)
                .unwrap_or("build the site first, or pass the output directory: `waypost DIR`"),
            Self::NotADirectory(_) => "pass the directory of the built site: `waypost DIR`",
            Self::Unlistable(_, error) => match IoFailure::of(error) {
                IoFailure::Machine => machine_hint(error),
                _ => "make it readable for the user who runs waypost, or remove it from the build",
            },
        };
        Some(hint.into())
    }
}
