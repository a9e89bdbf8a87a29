//! Decodes the text of a commit: its author and subject.
//!
//! Comes from the raw object, and is compared with the same fields of `git log`: `%an <%ae>` and `%s`.

/// The decoded text of a commit.
pub(super) struct CommitText {
    /// The author, without the date: `Name <mail>`.
    pub(super) author: String,
    message: String,
}

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
    fn the_subject_is_the_first_paragraph() {
        let check = |raw: &[u8], expected: Option<&str>| {
            let subject = CommitText::decode(raw).and_then(|text| text.subject());
            assert_eq!(subject.as_deref(), expected, "{raw:?}");
        };
        check(b"tree a\n\nAdd a page\n", Some("Add a page"));
        check(
            b"tree a\n\n\n  Add a\npage \n\nand say why\n",
            Some("Add a page"),
        );
        check(
            b"tree a\nencoding ISO-8859-1\n\nCaf\xe9\n",
            Some("Caf\u{e9}"),
        );
        check(b"tree a\n\n", None);
        check(b"tree a\n", None);
    }
}
