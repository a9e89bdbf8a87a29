//! `waypost explain --settings`: what waypost sees, every setting, and where each came from.

use std::fmt::Write;

use super::screen::{FAINT, LABEL, styled};
use crate::road::Survey;

pub(super) fn shown(survey: &Survey<'_>) -> String {
    let mut out = String::new();
    let mut line = |key: &str, value: &str, origin: &str| {
        writeln!(out, "{} = {value}  {}", styled(LABEL, key), styled(FAINT, format!("# {origin}")))
            .expect("a string takes all that is written");
    };
    for explained in &survey.loaded.explained {
        line(&explained.key, &explained.value, &survey.loaded.texts.shown(&explained.origin));
    }
    let found = |out: &mut String, what: &str, value: String| {
        writeln!(out, "{} {value}", styled(FAINT, format!("# {what:<11}")))
            .expect("a string takes all that is written");
    };
    out.push('\n');
    let generator = survey.site.generator.map_or("none", |(_, generator)| generator.title.as_str());
    found(&mut out, "generator", generator.to_owned());
    found(&mut out, "site root", Survey::shown(&survey.site.root));
    found(&mut out, "output", Survey::shown(&survey.output_dir));
    let base = survey.base_url();
    found(
        &mut out,
        "base URL",
        base.map_or_else(|fault| fault.to_string(), |base| format!("{} from {}", base.url, base.origin)),
    );
    let pipeline = survey.pipelines().current().map_or("none", |pipeline| pipeline.title.as_str());
    found(&mut out, "pipeline", pipeline.to_owned());
    out
}
