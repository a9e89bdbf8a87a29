//! The build pipeline at hand, told by its environment variables.

use std::collections::BTreeMap;

use super::manifest::{Manifest, Pipeline};
use crate::location::BaseUrl;

/// The pipelines of the manifest against one environment.
#[derive(Debug, Clone, Copy)]
pub struct Pipelines<'a> {
    manifest: &'a Manifest,
    environment: &'a BTreeMap<String, String>,
}

impl<'a> Pipelines<'a> {
    /// Brings manifest and environment together.
    pub fn new(manifest: &'a Manifest, environment: &'a BTreeMap<String, String>) -> Self {
        Self { manifest, environment }
    }

    /// The pipeline that this is. Hosts run builds inside of others' images, so where two match, the one with a
    /// production address of its own is the surer.
    pub fn current(self) -> Option<&'a Pipeline> {
        let matches = |pipeline: &&Pipeline| {
            pipeline.detect_env.iter().all(|(name, value)| self.environment.get(name) == Some(value))
        };
        let mut found: Vec<&Pipeline> = self.manifest.pipeline.values().filter(matches).collect();
        found.sort_by_key(|pipeline| self.address_of(pipeline).is_none());
        found.first().copied()
    }

    /// The pipeline, where its environment says that this build is a preview.
    pub fn preview(self) -> Option<&'a Pipeline> {
        let is_other = |(name, value): (&String, &String)| self.environment.get(name).is_some_and(|set| set != value);
        self.current().filter(|pipeline| pipeline.production_env.iter().any(is_other))
    }

    /// The production address that the pipeline gives.
    pub fn base_url(self) -> Option<(&'a str, BaseUrl)> {
        let pipeline = self.current()?;
        let base = self.address_of(pipeline)?;
        Some((pipeline.base_url_env.as_deref()?, base))
    }

    fn address_of(self, pipeline: &Pipeline) -> Option<BaseUrl> {
        let text = self.environment.get(pipeline.base_url_env.as_ref()?)?;
        let text = if text.contains("://") { text.clone() } else { format!("https://{text}") };
        BaseUrl::parse(&text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_is_told_by_what_marks_production() {
        let manifest = Manifest::embedded();
        let check = |context: Option<&str>, expected: bool| {
            let context = context.map(|value| ("CONTEXT".to_owned(), value.to_owned()));
            let environment = context.into_iter().chain([("NETLIFY".to_owned(), "true".to_owned())]).collect();
            assert_eq!(Pipelines::new(&manifest, &environment).preview().is_some(), expected);
        };
        check(Some("deploy-preview"), true);
        check(Some("production"), false);
        check(None, false);
    }

    #[test]
    fn the_pipeline_is_told_by_its_variables() {
        let manifest = Manifest::embedded();
        let check = |variables: &[(&str, &str)], title: Option<&str>, base: Option<&str>| {
            let environment = variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
            let pipelines = Pipelines::new(&manifest, &environment);
            assert_eq!(pipelines.current().map(|pipeline| pipeline.title.as_str()), title);
            assert_eq!(pipelines.base_url().map(|(_, base)| base.to_string()).as_deref(), base);
        };
        check(&[], None, None);
        check(&[("GITHUB_ACTIONS", "true")], Some("GitHub Actions"), None);
        check(
            &[("VERCEL", "1"), ("VERCEL_PROJECT_PRODUCTION_URL", "example.com")],
            Some("Vercel"),
            Some("https://example.com/"),
        );
        check(
            &[("GITHUB_ACTIONS", "true"), ("NETLIFY", "true"), ("URL", "https://example.com")],
            Some("Netlify"),
            Some("https://example.com/"),
        );
    }
}
