//! Zola's slugs, and the dates in its names.

use crate::generators::{Conventions, OwnConfig, SlugSubject};

pub(super) struct Zola;

impl Conventions for Zola {
    /// Directories of sections have none.
    fn slug(&self, config: &OwnConfig, name: &str, subject: SlugSubject) -> Option<String> {
        Some(match subject {
            SlugSubject::Dir => name.to_owned(),
            SlugSubject::Page => {
                let keeps_dates = config.is_on("slugify.paths_keep_dates");
                let undated = without_date(name).filter(|_| !keeps_dates);
                slug_of(config, "slugify.paths", undated.unwrap_or(name))
            }
            SlugSubject::FrontMatter => slug_of(config, "slugify.paths", name),
            SlugSubject::Term => slug_of(config, "slugify.taxonomies", name),
        })
    }
}

/// The slug of a name in the mode of the settings at this key: `on`, `safe` or `off`.
fn slug_of(config: &OwnConfig, mode_key: &str, name: &str) -> String {
    match config.text(mode_key) {
        Some("off") => name.to_owned(),
        Some("safe") => safe_slug(name),
        _ => ::slug::slugify(name), // the crate that Zola uses
    }
}

/// Removes the characters that NTFS forbids: `<>:"/\|?*`, trailing dots and spaces.
fn safe_slug(name: &str) -> String {
    let mut kept = name.to_owned();
    kept.retain(|character| !r#"<>:"/\|?*"#.contains(character) && !character.is_control());
    kept.trim_end_matches(['.', ' ']).to_owned()
}

/// Removes a date: `2024-05-06-name`, `2024-05-06_name`, `2024-05-06T07:08:09Z-name`. A name that is
/// only a date is kept.
fn without_date(name: &str) -> Option<&str> {
    let (day, rest) = name.split_at_checked(10)?;
    let is_day = day.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    let rest = match rest.strip_prefix('T') {
        Some(time) => &time[time.find(['-', '_'])?..],
        None => rest,
    };
    let rest = rest
        .strip_prefix(' ')
        .unwrap_or(rest)
        .strip_prefix(['-', '_'])?
        .trim_start();
    (is_day && !rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_match_zola() {
        let config = OwnConfig::from_value(serde_json::json!({ "safe": "safe", "off": "off" }));
        let check = |mode: &str, name: &str, expected: &str| {
            assert_eq!(slug_of(&config, mode, name), expected);
        };
        check("on", "Ünï Page", "uni-page");
        check("on", "c++", "c");
        check("on", "日本", "ri-ben");
        check("safe", "What? Now.", "What Now");
        check("off", "What? Now.", "What? Now.");
    }

    #[test]
    fn a_leading_date_is_removed() {
        let check =
            |name: &str, expected: Option<&str>| assert_eq!(without_date(name), expected, "{name}");
        check("2024-05-06-name", Some("name"));
        check("2024-05-06_name", Some("name"));
        check("2024-05-06T07:08:09Z-name", Some("name"));
        check("2024-05-06", None);
        check("2024-05-06x", None);
        check("20240506-name", None);
        check("é-2024", None);
    }
}
