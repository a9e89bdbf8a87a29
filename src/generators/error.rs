//! Why no site, or not one site, was found, each with its remedy.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::io_failure::{MachineFailure, reading_hint};
use crate::findings::{Hint, HintedError};
use sitemaps::site_paths::{display_path, escaped};

/// Error while finding a site or reading its generator's files.
#[derive(Debug, Error)]
pub enum GeneratorError {
    /// The path of the site does not exist.
    #[error("no such directory: `{0}`")]
    NoSuchDir(PathBuf),
    /// The path of the site is not a directory.
    #[error("`{0}` is not a directory")]
    NotADir(PathBuf),
    /// The machine failed while the site was looked for.
    #[error(transparent)]
    Machine(#[from] MachineFailure),
    /// A generator's settings cannot be opened or are not UTF-8.
    #[error("cannot read `{0}`: {1}")]
    UnreadableSettings(PathBuf, io::Error),
    /// A generator's settings have a syntax error.
    #[error(
        "{}{}: {why}",
        file.display(),
        line.map_or_else(String::new, |line| format!(":{line}"))
    )]
    InvalidSettings {
        /// The file.
        file: PathBuf,
        /// The line, counted from 1, if it is known.
        line: Option<usize>,
        /// Description of the error.
        why: String,
    },
}

impl Hint for GeneratorError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::NoSuchDir(_) => "pass the site root or a directory of HTML",
            Self::NotADir(file) => {
                let dir = match file.parent().map(Path::to_string_lossy) {
                    Some(dir) if !dir.is_empty() => dir,
                    _ => ".".into(),
                };
                let build = format!("pass its directory, `{}`", escaped(&dir));
                let file = file.to_string_lossy();
                let is_sitemap = [".xml", ".gz", ".txt"]
                    .iter()
                    .any(|end| file.ends_with(end));
                return Some(if is_sitemap {
                    let file = escaped(&file);
                    format!("to check it: `waypost check {file}`; to build, {build}").into()
                } else {
                    build.into()
                });
            }
            Self::Machine(failure) => return failure.hint(),
            Self::UnreadableSettings(_, error) => reading_hint(error).unwrap_or(
                "replace it with a text file, or pass the output directory: `waypost DIR`",
            ),
            Self::InvalidSettings { .. } => {
                "fix the settings; if they belong to another program, pass the output directory: \
                 `waypost DIR`"
            }
        };
        Some(hint.into())
    }
}

/// No site, or several, at and below the given directory. A user who names the output directory in
/// the settings overrules it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnclearSite {
    /// Several directories could be the site.
    Several(Vec<SiteCandidate>),
    /// The only page is the template of a package's build.
    NotBuilt,
    /// A known output directory has no page.
    Empty(PathBuf),
    /// Nothing looks like a site, but these directories have pages.
    Nothing(Vec<PathBuf>),
}

impl UnclearSite {
    /// Whether nothing looks like a site.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Empty(_) | Self::Nothing(_))
    }

    /// The problem with the given directory, and the commands that solve it.
    pub fn error(&self, given: &Path) -> HintedError {
        HintedError::new(self.problem(&display_path(given)), self.hint())
    }

    fn problem(&self, given: &str) -> String {
        match self {
            Self::Several(candidates) if candidates.len() > 1 => {
                format!("`{given}` contains several sites")
            }
            Self::Several(_) => format!("`{given}` is not a site, but a directory below it is"),
            Self::NotBuilt => format!(
                "`index.html` in `{given}` may be the template of a build, because `package.json` \
                 has a build script, and no built site was found"
            ),
            Self::Empty(output) => format!("no page found in `{}`", shown(output)),
            Self::Nothing(_) => format!(
                "no site found in `{given}`: it has no `index.html`, no known output directory and \
                 no settings of a known generator"
            ),
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::Several(candidates) => {
                let commands: Vec<String> = candidates.iter().map(SiteCandidate::command).collect();
                match &commands[..] {
                    [one] => format!("run {one}"),
                    several => format!("run waypost on one of them: {}", several.join(", ")),
                }
            }
            Self::NotBuilt => "build the site first, or pass `-o .` if this directory is served \
                               as it is"
                .to_owned(),
            Self::Nothing(with_pages) if !with_pages.is_empty() => {
                let commands: Vec<String> = with_pages
                    .iter()
                    .map(|dir| format!("`waypost -o {}`", shown(dir)))
                    .collect();
                format!("these directories have pages: {}", commands.join(", "))
            }
            Self::Empty(_) | Self::Nothing(_) => {
                "build the site first, then run waypost in the site's directory or pass the \
                 directory of the built pages: `waypost -o DIR`"
                    .to_owned()
            }
        }
    }
}

/// A directory that could be the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteCandidate {
    /// The site root.
    pub(super) root: PathBuf,
    /// The output directory.
    pub(super) output: PathBuf,
    /// The display name of the generator.
    pub(super) generator: Option<String>,
    /// Whether there is an output directory.
    pub(super) is_built: bool,
}

impl SiteCandidate {
    /// An output directory in a site root whose generator is unknown.
    pub(super) fn from_output(root: &Path, output: PathBuf) -> Self {
        Self {
            root: root.to_owned(),
            output,
            generator: None,
            is_built: true,
        }
    }

    /// The command that selects this candidate, and what it is.
    pub(super) fn command(&self) -> String {
        let [root, output] = [&self.root, &self.output].map(|dir| shown(dir));
        match (&self.generator, self.is_built) {
            (Some(generator), true) => format!("`waypost {root}` ({generator})"),
            (Some(generator), false) => format!("`waypost {root}` ({generator}, not built)"),
            (None, _) => format!("`waypost -o {output}`"),
        }
    }
}

/// A path as the user would type it.
pub(super) fn shown(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    escaped(&path.to_string_lossy()).into_owned()
}
