//! Reads the archives of `tests/generators`: the files of a site in one text file.
//!
//! `tests/generators/README.md` describes the format, and `tests/slow/txtar.py` writes it.

/// The last line of a member whose file ends without a newline. The words are git's.
const NO_NEWLINE: &str = "\n\\ No newline at end of file\n";

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text before the first member, and the files.
pub(crate) struct SiteArchive {
    pub(crate) comment: String,
    pub(crate) files: Vec<ArchivedFile>,
}

pub(crate) struct ArchivedFile {
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
}

impl SiteArchive {
    pub(crate) fn parse(text: &str) -> Self {
        let mut comment = String::new();
        let mut members: Vec<(&str, String)> = Vec::new();
        for line in text.split_inclusive('\n') {
            match (member_name(line), members.last_mut()) {
                (Some(name), _) => members.push((name, String::new())),
                (None, Some((_, content))) => content.push_str(line),
                (None, None) => comment.push_str(line),
            }
        }
        let files = members
            .iter()
            .map(|(name, text)| ArchivedFile::decoded(name, text));
        Self {
            comment,
            files: files.collect(),
        }
    }
}

impl ArchivedFile {
    fn decoded(name: &str, text: &str) -> Self {
        let (name, content) = match name.strip_suffix(".base64") {
            Some(name) => (name, bytes_of_base64(text)),
            None => (name, text.strip_suffix(NO_NEWLINE).unwrap_or(text).into()),
        };
        Self {
            name: name.to_owned(),
            content,
        }
    }
}

/// The name in a line `-- NAME --`.
fn member_name(line: &str) -> Option<&str> {
    line.strip_suffix('\n')
        .unwrap_or(line)
        .strip_prefix("-- ")?
        .strip_suffix(" --")
}

/// Decodes Base64 (RFC 4648 section 4).
pub(crate) fn bytes_of_base64(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .bytes()
        .filter_map(|byte| BASE64.iter().position(|digit| *digit == byte))
        .map(|digit| u8::try_from(digit).expect("a digit has six bits"))
        .collect();
    let groups = digits.chunks(4).flat_map(|group| {
        let bits = (0..4).fold(0, |bits, at| {
            bits << 6 | u32::from(group.get(at).copied().unwrap_or(0))
        });
        // N digits encode N - 1 bytes.
        bits.to_be_bytes().into_iter().skip(1).take(group.len() - 1)
    });
    groups.collect()
}
