//! How generators make addresses of names: each function is a port of what one generator does.

/// Zola's `slug` mode: the crate that Zola itself uses.
pub(super) fn zola(name: &str) -> String {
    slug::slugify(name)
}

/// Zola's `safe` mode: what NTFS forbids is removed (`<>:"/\|?*`, and dots and blanks at the end).
pub(super) fn zola_safe(name: &str) -> String {
    let kept: String =
        name.chars().filter(|character| !r#"<>:"/\|?*"#.contains(*character) && !character.is_control()).collect();
    kept.trim_end_matches(['.', ' ']).to_owned()
}

/// Hugo's `urlize`: blanks become hyphens, and of the rest letters, digits, marks and `. _ ~ - / + #` stay; Unicode stays.
pub(super) fn hugo(name: &str, case: Case) -> String {
    let mut out = String::with_capacity(name.len());
    for character in name.chars() {
        if character.is_whitespace() {
            if !out.ends_with('-') {
                out.push('-');
            }
        } else if character.is_alphanumeric() || "._~-/+".contains(character) {
            out.push(character);
        }
    }
    if case == Case::Lower { out.to_lowercase() } else { out }
}

/// Whether upper case stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Case {
    /// Everything in lower case.
    Lower,
    /// As it is.
    Kept,
}

/// Takes a date off the beginning of a name, as Zola does: `2024-05-06-name`, `2024-05-06_name`,
/// `2024-05-06T07:08:09Z-name`. A name that is nothing but a date stays.
pub(super) fn without_date(name: &str) -> &str {
    let Some(rest) = after_day(name) else { return name };
    let rest = if rest.starts_with('T') { rest.find(['-', '_']).map_or(rest, |end| &rest[end..]) } else { rest };
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    match rest.strip_prefix(['-', '_']).map(str::trim_start) {
        Some(rest) if !rest.is_empty() => rest,
        _ => name,
    }
}

fn after_day(name: &str) -> Option<&str> {
    let (day, rest) = name.split_at_checked(10)?;
    let shape = day
        .bytes()
        .enumerate()
        .all(|(at, byte)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() });
    shape.then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zola_slugs_are_zolas() {
        let check = |name: &str, expected: &str| assert_eq!(zola(name), expected);
        check("Ünï Page", "uni-page");
        check("c++", "c");
        check("日本", "ri-ben");
        assert_eq!(zola_safe("What? Now."), "What Now");
    }

    #[test]
    fn hugo_slugs_are_hugos() {
        let check = |name: &str, expected: &str| assert_eq!(hugo(name, Case::Lower), expected);
        check("Über-Größe", "über-größe");
        check("What.Is.This", "what.is.this");
        check("a  b, c", "a-b-c");
        check("hugo-0.152.0+", "hugo-0.152.0+");
        assert_eq!(hugo("Mixed Case", Case::Kept), "Mixed-Case");
    }

    #[test]
    fn a_date_before_a_name_is_taken_off() {
        let check = |name: &str, expected: &str| assert_eq!(without_date(name), expected);
        check("2024-05-06-name", "name");
        check("2024-05-06_name", "name");
        check("2024-05-06T07:08:09Z-name", "name");
        check("2024-05-06", "2024-05-06");
        check("2024-05-06x", "2024-05-06x");
        check("20240506-name", "20240506-name");
        check("é-2024", "é-2024");
    }
}
