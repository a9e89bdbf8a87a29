//! Settings near the site that were not read, though whoever wrote them may think so.

use std::path::{Path, PathBuf};

use super::survey::Survey;
use crate::config::OWN_FILE;
use crate::finding::{Finding, Subject, code};

/// What is to be said of them.
pub(super) fn settings_passed_over(survey: &Survey<'_>) -> Option<Finding> {
    let unreadable = survey.site.passed_over.as_ref().map(|error| {
        let message = format!("the folder is taken for one of HTML, since {error}");
        (
            message,
            "mend them, or name the folder by `-o` where they are another program's",
        )
    });
    let (message, hint) = unreadable.or_else(|| above(survey))?;
    Some(Finding::new(code::SETTINGS_PASSED_OVER, Subject::Site, message).with_hint(hint))
}

/// Our own settings in the folder above one of HTML that has none.
fn above(survey: &Survey<'_>) -> Option<(String, &'static str)> {
    let root = &survey.site.root;
    let own = |folder: &Path| Some(folder.join(OWN_FILE)).filter(|file| file.is_file());
    let is_at_home =
        survey.site.generator.is_some() || survey.config.is_some() || root.join(".git").exists();
    if is_at_home || own(root).is_some() {
        return None;
    }
    let named = root.file_name().and(root.parent()).map(Path::to_owned);
    let canonical = || root.canonicalize().ok()?.parent().map(PathBuf::from);
    let file = own(&named.or_else(canonical)?)?;
    let message = format!(
        "`{}` is not read: settings stand in the folder that is named",
        Survey::shown(&file)
    );
    Some((
        message,
        "name the folder above, and the folder of HTML by `-o`: `waypost -o public`",
    ))
}
