//! Reads the data of an earlier report, to compare with it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use thiserror::Error as ThisError;

use super::data_format::{DATA_START, DATA_VERSION};
use site_paths::Hint;

/// Reason that a file cannot be compared with.
#[derive(Debug, ThisError)]
pub enum OlderReportError {
    /// It is not a report.
    #[error("`{0}` is not a report of waypost")]
    NotAReport(String),
    /// It is damaged, or of another version of waypost.
    #[error("the data of the report `{file}` cannot be read: {source}")]
    Data {
        /// The file, for display.
        file: String,
        /// The reason.
        source: serde_json::Error,
    },
    /// Its data has another form.
    #[error("the report `{file}` has data of version {version}, not {DATA_VERSION}")]
    Version {
        /// The file, for display.
        file: String,
        /// The version.
        version: u32,
    },
}

impl Hint for OlderReportError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::NotAReport(_) => "name a file that `waypost report --to FILE` has written",
            Self::Data { .. } | Self::Version { .. } => {
                "write the earlier report again with this version of waypost"
            }
        };
        Some(hint.into())
    }
}

/// The data of an earlier report. Texts are borrowed from its file.
#[derive(Debug, serde::Deserialize)]
pub struct OlderReport<'t> {
    version: u32,
    /// The time of the report, in seconds.
    pub(super) made: i64,
    #[serde(borrow)]
    pub(super) pages: Vec<OlderPage<'t>>,
    pub(super) reasons: Vec<String>,
    pub(super) findings: Vec<OlderFindings>,
}

/// The number of findings of a code.
#[derive(Debug, serde::Deserialize)]
pub(super) struct OlderFindings {
    pub(super) code: String,
    pub(super) count: usize,
}

/// A page of an earlier report.
#[derive(Debug)]
pub(super) struct OlderPage<'t> {
    pub(super) path: Cow<'t, str>,
    /// The file, unless it follows from the path.
    pub(super) file: Option<Cow<'t, str>>,
    /// The index of the reason; negative if the page is listed.
    pub(super) reason: i64,
    pub(super) seconds: Option<i64>,
}

impl<'t> OlderReport<'t> {
    /// Reads the data of a report from its HTML. `file` is its name in errors.
    pub fn read(html: &'t str, file: &str) -> Result<Self, OlderReportError> {
        let not_a_report = || OlderReportError::NotAReport(file.to_owned());
        let (_, rest) = html.split_once(DATA_START).ok_or_else(not_a_report)?;
        let (data, _) = rest.split_once("</script>").ok_or_else(not_a_report)?;
        let data: Self = serde_json::from_str(data).map_err(|source| OlderReportError::Data {
            file: file.to_owned(),
            source,
        })?;
        if data.version == DATA_VERSION {
            Ok(data)
        } else {
            Err(OlderReportError::Version {
                file: file.to_owned(),
                version: data.version,
            })
        }
    }
}

impl<'de: 't, 't> Deserialize<'de> for OlderPage<'t> {
    fn deserialize<D: Deserializer<'de>>(data: D) -> Result<Self, D::Error> {
        data.deserialize_seq(RowVisitor)
    }
}

/// Reads the first four values of a row, and ignores the others.
struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = OlderPage<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the row of a page")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<Self::Value, A::Error> {
        let short = || A::Error::custom("the row of a page is too short");
        let page = OlderPage {
            path: row
                .next_element::<BorrowedText<'de>>()?
                .ok_or_else(short)?
                .0
                .unwrap_or_default(),
            file: row
                .next_element::<BorrowedText<'de>>()?
                .ok_or_else(short)?
                .0,
            reason: row.next_element()?.ok_or_else(short)?,
            seconds: row.next_element()?.ok_or_else(short)?,
        };
        while row.next_element::<IgnoredAny>()?.is_some() {}
        Ok(page)
    }
}

/// A text, or `0` for none. Copied only if it has escapes.
struct BorrowedText<'t>(Option<Cow<'t, str>>);

impl<'de> Deserialize<'de> for BorrowedText<'de> {
    fn deserialize<D: Deserializer<'de>>(data: D) -> Result<Self, D::Error> {
        data.deserialize_any(TextVisitor).map(Self)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Option<Cow<'de, str>>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a text or 0")
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Some(text.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(text.to_owned().into()))
    }
}
