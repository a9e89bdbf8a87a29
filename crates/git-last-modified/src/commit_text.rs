//! Decodes the text of a commit: its author, subject and trailers.
//!
//! Comes from the raw object, and is compared with the same fields of `git log`: `%an <%ae>`, `%s`
//! and `%(trailers)`.

/// The decoded text of a commit.
pub(super) struct CommitText {
    /// The author, without the date: `Name <mail>`.
    pub(super) author: String,
    message: String,
}

/// Lines that Git itself adds; a paragraph with one of them may contain other lines too
/// (`git_generated_prefixes` in trailer.c).
const GENERATED: [&str; 2] = ["Signed-off-by: ", "(cherry picked from commit "];

impl CommitText {
    /// Decodes a raw commit; `None` without a message.
    pub(super) fn decode(raw: &[u8]) -> Option<Self> {
        let at = memchr::memmem::find(raw, b"\n\n")?;
        let (header, message) = raw.split_at(at);
        let mut fields = header.split(|&byte| byte == b'\n');
        let author = fields
            .clone()
            .find_map(|line| line.strip_prefix(b"author "));
        let label = fields.find_map(|line| line.strip_prefix(b"encoding "));
        let encoding = label
            .and_then(encoding_rs::Encoding::for_label)
            .unwrap_or(encoding_rs::UTF_8);
        let decode = |bytes: &[u8]| encoding.decode_without_bom_handling(bytes).0.into_owned();
        Some(Self {
            author: person(&decode(author.unwrap_or_default())),
            message: decode(message),
        })
    }

    /// Joins the lines of the message's first paragraph with spaces.
    pub(super) fn subject(&self) -> Option<String> {
        let lines = self
            .message
            .lines()
            .map(str::trim)
            .skip_while(|line| line.is_empty())
            .take_while(|line| !line.is_empty());
        let subject = lines.collect::<Vec<_>>().join(" ");
        (!subject.is_empty()).then_some(subject)
    }

    /// Returns the keys and values of the trailers.
    ///
    /// They are in the last paragraph, which must not be the subject. It must consist of trailers,
    /// or have at least one line in four that is one, and a line that Git itself wrote
    /// (`find_trailer_block_start` in trailer.c).
    pub(super) fn trailers(&self) -> Vec<(&str, String)> {
        let lines: Vec<&str> = self
            .message
            .lines()
            .skip_while(|line| is_blank(line))
            .collect();
        let mut paragraphs = lines
            .split(|line| is_blank(line))
            .filter(|part| !part.is_empty());
        let (Some(_), Some(last)) = (paragraphs.next(), paragraphs.next_back()) else {
            return Vec::new();
        };
        let last = last.iter().copied().filter(|line| !line.starts_with('#'));
        if is_trailer_block(last.clone()) {
            unfold(last)
        } else {
            Vec::new()
        }
    }
}

/// Whether the lines of a paragraph are trailers, or enough of them.
fn is_trailer_block<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let (mut trailers, mut others, mut is_generated) = (0, 0, false);
    let mut is_continued = false;
    for line in lines {
        let is_own = GENERATED.iter().any(|prefix| line.starts_with(prefix));
        is_generated |= is_own;
        if is_own || trailer(line).is_some() {
            trailers += 1;
            is_continued = true;
        } else if !(is_continued && line.starts_with(char::is_whitespace)) {
            others += 1;
            is_continued = false;
        }
    }
    others == 0 || is_generated && trailers * 3 >= others
}

/// Returns keys and values; a line that starts with whitespace continues the value before it.
fn unfold<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<(&'a str, String)> {
    let mut trailers: Vec<(&str, String)> = Vec::new();
    for line in lines {
        if let Some((key, value)) = trailer(line) {
            trailers.push((key, value.to_owned()));
        } else if line.starts_with(char::is_whitespace)
            && let Some((_, value)) = trailers.last_mut()
        {
            value.push(' ');
            value.push_str(line.trim());
        }
    }
    trailers
}

/// Removes the date from `Name <mail> 1700000000 +0100`, as Git does (`split_ident_line`).
fn person(line: &str) -> String {
    let Some((name, rest)) = line.split_once('<') else {
        return line.trim().to_owned();
    };
    let mail = rest.split('>').next().unwrap_or_default();
    let name = name.trim();
    if name.is_empty() {
        format!("<{mail}>")
    } else {
        format!("{name} <{mail}>")
    }
}

/// Splits a line such as `Key: value`; the key has letters, digits and hyphens.
fn trailer(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let name = key.trim_end();
    let is_key = |name: &str| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    is_key(name).then(|| (name, value.trim()))
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(message: &str) -> CommitText {
        let header = "tree a\nauthor  Anna Bot <a@example.com> 1 +0000\ncommitter C <c> 1 +0000";
        CommitText::decode(format!("{header}\n\n{message}").as_bytes()).expect("a message")
    }

    #[test]
    fn an_author_is_a_name_and_a_mail_address() {
        assert_eq!(decoded("x").author, "Anna Bot <a@example.com>");
        assert_eq!(person("<a@example.com> 1 +0000"), "<a@example.com>");
        assert_eq!(person("A <a> b> 1 +0000"), "A <a>");
    }

    #[test]
    fn trailers_are_in_the_last_paragraph() {
        let check = |message: &str, expected: &[(&str, &str)]| {
            let text = decoded(message);
            let found = text.trailers();
            let found: Vec<_> = found.iter().map(|(key, value)| (*key, &**value)).collect();
            assert_eq!(found, expected, "{message:?}");
        };
        check("Fix a\n\nLastmod: keep\n", &[("Lastmod", "keep")]);
        check(
            "Fix a\n\nWhy.\n\nA: b\nLastmod : keep\n",
            &[("A", "b"), ("Lastmod", "keep")],
        );
        check(
            "Fix a\n\nLastmod: keep\n  going\n\n",
            &[("Lastmod", "keep going")],
        );
        check("Lastmod: keep\n", &[]);
        check("Fix a\nLastmod: keep\n", &[]);
        check("Fix a\n\nLastmod: keep\n\nWhy.\n", &[]);
        check("Fix a\n\nWhy:\nbecause.\nLastmod: keep\n", &[]);
        check(
            "Fix a\n\nbecause\nSigned-off-by: A <a>\nLastmod: keep\n",
            &[("Signed-off-by", "A <a>"), ("Lastmod", "keep")],
        );
    }
}
