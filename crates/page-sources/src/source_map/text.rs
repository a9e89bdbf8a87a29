//! The text of a source map.

use std::borrow::Cow;
use std::path::Path;
use std::{fs, io};

use crate::PageSourcesError;
use sitemaps::site_paths::containment;

/// Size limit for a source map, which is read whole. With a million pages it has about 200 MiB.
const MOST_LIST_BYTES: u64 = 1 << 30;

/// Reads a source map as text. Windows shells write UTF-16 to redirected files.
pub(super) fn read_text(path: &Path) -> Result<String, PageSourcesError> {
    let failed = |error| PageSourcesError::UnreadableSourceMap(path.to_owned(), error);
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("it is not a file")));
    }
    let bytes = containment::read(path, MOST_LIST_BYTES).map_err(failed)?;
    let (encoding, mark) =
        encoding_rs::Encoding::for_bom(&bytes).unwrap_or((encoding_rs::UTF_8, 0));
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
    text.map(Cow::into_owned)
        .ok_or_else(|| PageSourcesError::InvalidSourceMap {
            file: path.to_owned(),
            line: None,
            what: "is not UTF-8".to_owned(),
        })
}
