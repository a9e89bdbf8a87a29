//! `waypost explain --settings`: every setting with its origin, and the detected environment.

use super::text_layout::{FAINT, LABEL, styled};
use crate::site::{BuildKind, LoadedSite, SiteLocation};
use git_last_modified::describe_history;
use sitemaps::site_paths::{display_path, escaped};

pub(super) fn shown(loaded: &LoadedSite) -> String {
    let settings = loaded.loaded.explained.iter().map(|explained| {
        let key = styled(LABEL, escaped(&explained.key));
        let origin = loaded.loaded.texts.format_origin(&explained.origin);
        let origin = styled(FAINT, format!("# {}", escaped(&origin)));
        format!("{key} = {}  {origin}\n", escaped(&explained.value))
    });
    let settings: String = settings.collect();
    let mut lines = Vec::new();
    for (what, value) in detected(loaded) {
        lines.push((what, value));
        if what == "base URL" {
            lines.extend(other_evidence(loaded).into_iter().map(|other| ("", other)));
        }
    }
    let found = lines.into_iter().map(|(what, value)| {
        let what = styled(FAINT, format!("# {what:<11}"));
        format!("{what} {value}\n")
    });
    [settings, found.collect()].join("\n")
}

/// The further evidence for and against the base URL in use.
fn other_evidence(loaded: &LoadedSite) -> Vec<String> {
    let Ok(location) = loaded.location() else {
        return Vec::new();
    };
    let SiteLocation { base, evidence, .. } = location;
    let mut lines = Vec::new();
    for found in evidence.iter().filter(|found| **found != base) {
        let verdict = if found.url == base.url { "also" } else { "not" };
        let line = format!("{verdict} {} from {}", found.url, found.origin);
        lines.push(escaped(&line).into_owned());
    }
    lines
}

/// What was found of a site and its environment.
pub(super) fn detected(loaded: &LoadedSite) -> [(&'static str, String); 8] {
    let generator = loaded.site.generator;
    let base = match loaded.base_url() {
        Ok(base) => format!("{} from {}", base.url, base.origin),
        Err(fault) => fault.to_string(),
    };
    let host = loaded.place.host.as_ref();
    let detected = [
        (
            "generator",
            generator.map_or("none".to_owned(), |generator| generator.title.clone()),
        ),
        ("site root", display_path(&loaded.site.root)),
        ("output", display_path(loaded.output_dir())),
        ("base URL", base),
        ("repository", repository(loaded)),
        ("pipeline", pipeline(loaded)),
        (
            "host",
            host.map_or("unknown".to_owned(), ToString::to_string),
        ),
        ("URL form", loaded.place.form.to_string()),
    ];
    detected.map(|(what, value)| (what, escaped(&value).into_owned()))
}

fn repository(loaded: &LoadedSite) -> String {
    let Some(root) = &loaded.repository else {
        return "none, so no page gets a Git date".to_owned();
    };
    let depth = describe_history(root).map_or_else(|error| error.to_string(), str::to_owned);
    format!("{}: {depth}", display_path(root))
}

/// Describes the pipeline, and whether this is a preview.
fn pipeline(loaded: &LoadedSite) -> String {
    let Some(current) = loaded.pipelines().current() else {
        return "none".to_owned();
    };
    let kind = match &loaded.kind {
        BuildKind::Preview(preview) => format!("a preview ({})", preview.reason),
        BuildKind::UnknownBranch(unknown) => {
            format!("perhaps production (branch `{}`)", unknown.branch)
        }
        BuildKind::Production => "production".to_owned(),
    };
    format!("{}, {kind}", current.title)
}
