//! The step that runs waypost in a pipeline: the tables `step` of the manifest.

use serde::Deserialize;

/// `[step.*]`: the step that runs waypost in the pipeline of the same name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipelineStep {
    /// Files or directories in a repository that identify the pipeline.
    #[serde(default)]
    pub files: Vec<String>,
    /// Where the step belongs.
    #[serde(rename = "where")]
    pub place: String,
    lines: String,
}

impl PipelineStep {
    /// The text of the step, for a site in this directory of the repository, which is empty for its top.
    pub fn text(&self, version: &str, site: &str) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "./_-".contains(c);
        let site = match site {
            "" => String::new(),
            site if site.chars().all(is_plain) => format!(" {site}"),
            site => format!(" '{site}'"),
        };
        let lines = self.lines.trim().replace("VERSION", version);
        lines.replace(" SITE", &site)
    }
}
