//! Fills the template of the report.

use std::io::{self, Write};

/// Writes a template; `part` writes what replaces `{{name}}`, which is not expanded again.
pub(super) fn write_template(
    template: &str,
    out: &mut dyn Write,
    mut part: impl FnMut(&str, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after
            .split_once("}}")
            .expect("every placeholder in the template is closed");
        out.write_all(before.as_bytes())?;
        part(name, out)?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserted_text_is_not_expanded_again() {
        let mut out = Vec::new();
        let part = |name: &str, out: &mut dyn Write| match name {
            "a" => out.write_all(b"{{b}}"),
            name => write!(out, "<{name}>"),
        };
        write_template("1{{a}}2{{b}}3", &mut out, part).expect("memory can be written");
        assert_eq!(out, b"1{{b}}2<b>3");
    }
}
