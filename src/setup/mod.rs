//! The step that runs waypost in a pipeline: inserted into the pipeline's file, or as a text to paste.
//!
//! Takes the texts of files and returns new texts; it never opens or writes a file. A file is
//! patched only if the new text holds the old values and the new ones, and nothing else.

mod commands;
mod document;
mod gitlab;
mod host_files;
mod steps;
#[cfg(test)]
mod tests;
mod unfit;
mod workflow;

pub use host_files::{LOCKS_WITHOUT_HOOKS, ScriptHooks};
pub use steps::{PipelineSite, action_of};
pub use unfit::Unfit;

use document::Document;
use located_values::Syntax;
use page_sources::generator::PipelineFormat;

/// Whether a file has a command that runs waypost, in any format.
pub fn mentions_waypost(text: &str) -> bool {
    commands::runs_waypost(text)
}

/// Inserts the step into a file of a pipeline, which is in the directory `dir` of the repository.
/// `None` if the file has it.
pub fn patched(
    format: PipelineFormat,
    text: &str,
    site: &PipelineSite<'_>,
    dir: &str,
) -> Result<Option<String>, Unfit> {
    let syntax = match format {
        PipelineFormat::GithubWorkflow
        | PipelineFormat::ForgejoWorkflow
        | PipelineFormat::Gitlab => Syntax::Yaml,
        PipelineFormat::Netlify => Syntax::Toml,
        PipelineFormat::Vercel => Syntax::Json,
    };
    let doc = Document::parse(text, syntax)?;
    let changes = match format {
        PipelineFormat::GithubWorkflow | PipelineFormat::ForgejoWorkflow => {
            workflow::changes(&doc, site)
        }
        PipelineFormat::Gitlab => gitlab::changes(&doc, site),
        PipelineFormat::Netlify => host_files::netlify(&doc, site, dir),
        PipelineFormat::Vercel => host_files::vercel(&doc, site, dir),
    };
    doc.patched(&changes?)
}

/// The script of `package.json` that builds the site, if there is exactly one, and the new text of
/// the file, if it does not run waypost yet.
pub fn patched_package(
    text: &str,
    site: &PipelineSite<'_>,
    hooks: ScriptHooks,
) -> Result<Option<PackageScript>, Unfit> {
    let doc = Document::parse(text, Syntax::Json)?;
    let Some(name) = host_files::build_script(&doc, site) else {
        return Ok(None);
    };
    let changes = host_files::package(&doc, site, (&name, hooks))?;
    let text = doc.patched(&changes)?;
    Ok(Some(PackageScript { name, text }))
}

/// A script of `package.json` that builds the site and then runs waypost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageScript {
    /// The name of the script.
    pub name: String,
    /// The new text of the file; `None` if it needs no change.
    pub text: Option<String>,
}
