//! `waypost explain --settings`: every setting with its origin, and the detected environment.

use std::fmt::Write;
use std::path::Path;

use super::printer::{FAINT, LABEL, styled};
use crate::site::{BuildKind, LoadedSite};
use git_last_modified::RepositoryState;
use site_paths::containment::absolute;
use site_paths::{display_path, escaped};

pub(super) fn shown(loaded: &LoadedSite<'_>) -> String {
    let mut out = String::new();
    let mut line = |key: &str, value: &str, origin: &str| {
        writeln!(
            out,
            "{} = {value}  {}",
            styled(LABEL, key),
            styled(FAINT, format!("# {origin}"))
        )
        .expect("writing to a string cannot fail");
    };
    for explained in &loaded.loaded.explained {
        line(
            &escaped(&explained.key),
            &escaped(&explained.value),
            &escaped(&loaded.loaded.texts.format_origin(&explained.origin)),
        );
    }
    let found = |out: &mut String, what: &str, value: String| {
        writeln!(out, "{} {value}", styled(FAINT, format!("# {what:<11}")))
            .expect("writing to a string cannot fail");
    };
    out.push('\n');
    let generator = loaded
        .site
        .generator
        .map_or("none", |generator| &generator.title);
    found(&mut out, "generator", generator.to_owned());
    found(&mut out, "site root", display_path(&loaded.site.root));
    found(&mut out, "output", display_path(loaded.output_dir()));
    let base = loaded.base_url();
    found(
        &mut out,
        "base URL",
        base.map_or_else(
            |fault| escaped(&fault.to_string()).into_owned(),
            |base| format!("{} from {}", base.url, base.origin),
        ),
    );
    found(&mut out, "repository", repository(&loaded.site.root));
    found(&mut out, "pipeline", pipeline(loaded));
    let host = loaded.host.as_ref();
    found(
        &mut out,
        "host",
        host.map_or("unknown".to_owned(), ToString::to_string),
    );
    found(
        &mut out,
        "URL form",
        escaped(&loaded.url_form.value.to_string()).into_owned(),
    );
    out
}

fn repository(site_root: &Path) -> String {
    let state = match RepositoryState::containing(&absolute(site_root)) {
        Ok(Some(state)) => state,
        Ok(None) => return "none, so no page gets a Git date".to_owned(),
        Err(error) => return format!("unknown: {error}"),
    };
    let depth = state
        .depth
        .as_ref()
        .map_or_else(ToString::to_string, ToString::to_string);
    format!("{}: {depth}", display_path(&state.root))
}

/// Describes the pipeline, whether this is a preview, and other pipelines that match.
fn pipeline(loaded: &LoadedSite<'_>) -> String {
    let matching = loaded.pipelines().matching();
    let Some((current, others)) = matching.split_first() else {
        return "none".to_owned();
    };
    let mut out = current.title.clone();
    match &loaded.kind.value {
        BuildKind::Preview(preview) => write!(out, ", a preview ({})", preview.reason),
        BuildKind::UnknownBranch(unknown) => {
            write!(
                out,
                ", perhaps production (branch `{}`)",
                escaped(&unknown.branch)
            )
        }
        BuildKind::Production => write!(out, ", production"),
    }
    .expect("writing to a string cannot fail");
    if let Some(depth) = current.clone_depth {
        write!(out, "; clones {depth} commits by default")
            .expect("writing to a string cannot fail");
    }
    for other in others {
        write!(out, "; {} also matches, with lower priority", other.title)
            .expect("writing to a string cannot fail");
    }
    out
}
