//! `waypost explain --settings`: every setting with its origin, and the detected environment.

use std::fmt::Write;

use super::printer::{FAINT, LABEL, styled};
use crate::pipeline::Survey;
use site_paths::escaped;

pub(super) fn shown(survey: &Survey<'_>) -> String {
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
    for explained in &survey.loaded.explained {
        line(
            &escaped(&explained.key),
            &escaped(&explained.value),
            &escaped(&survey.loaded.texts.format_origin(&explained.origin)),
        );
    }
    let found = |out: &mut String, what: &str, value: String| {
        writeln!(out, "{} {value}", styled(FAINT, format!("# {what:<11}")))
            .expect("writing to a string cannot fail");
    };
    out.push('\n');
    let generator = survey
        .site
        .generator
        .map_or("none", |generator| &generator.title);
    found(&mut out, "generator", generator.to_owned());
    found(
        &mut out,
        "site root",
        Survey::display_path(&survey.site.root),
    );
    found(&mut out, "output", Survey::display_path(&survey.output_dir));
    let base = survey.base_url();
    found(
        &mut out,
        "base URL",
        base.map_or_else(
            |fault| escaped(&fault.to_string()).into_owned(),
            |base| format!("{} from {}", base.url, base.origin),
        ),
    );
    found(&mut out, "repository", repository(survey));
    found(&mut out, "pipeline", pipeline(survey));
    out
}

fn repository(survey: &Survey<'_>) -> String {
    let Some(state) = survey.repository() else {
        return "none, so no page gets a Git date".to_owned();
    };
    let depth = state
        .depth
        .as_ref()
        .map_or_else(ToString::to_string, ToString::to_string);
    format!("{}: {depth}", Survey::display_path(&state.root))
}

/// Describes the pipeline, whether this is a preview, and other pipelines that match.
fn pipeline(survey: &Survey<'_>) -> String {
    let pipelines = survey.pipelines();
    let matching = pipelines.matching();
    let Some((current, others)) = matching.split_first() else {
        return "none".to_owned();
    };
    let mut out = current.title.clone();
    out.push_str(if pipelines.preview().is_some() {
        ", a preview"
    } else {
        ", no preview detected"
    });
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
