//! The finding for a key that a YAML file sets more than once.

use std::path::Path;

use crate::located_values::RepeatedKey;
use site_paths::finding::{Finding, Subject, code};

/// Creates the finding. Places are relative to the file.
pub(super) fn repeated_key_finding(file: &Path, key: &RepeatedKey) -> Finding {
    let message = format!(
        "`{}` is already set on line {}; the last value counts",
        key.key, key.earlier_line
    );
    let subject = Subject::File(file.to_owned(), key.place);
    Finding::new(code::SETTINGS_IGNORED, subject, message).with_hint("remove one of the two")
}
