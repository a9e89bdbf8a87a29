//! The values that the schemas allow in elements and attributes, as XML Schema defines their types.

use super::flaws::XML_SPACE;
use crate::listed_date::is_sitemap_date;
use crate::values::ChangeFreq;

/// Characters that a `<loc>` has at least.
const MIN_LOCATION: usize = 12;

/// The values of an element or attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueRule {
    /// Any text, also none.
    Any,
    /// The URL of a page or a sitemap. The check of entries judges all but its length.
    Location,
    /// No text.
    Nothing,
    /// The word `alternate`.
    Alternate,
    /// A word of the protocol for `<changefreq>`.
    ChangeFreq,
    /// A number from 0 to 1.
    Share,
    /// A URL, relative or absolute.
    Uri,
    /// An absolute http or https URL.
    FullUrl,
    /// A date that both the schema and W3C Datetime allow, to which the protocol refers.
    Date,
}

impl ValueRule {
    /// Whether the rule allows a value.
    pub(super) fn allows(self, text: &str) -> bool {
        // XML Schema trims the values of all types but strings.
        let value = text.trim_matches(XML_SPACE);
        match self {
            Self::Any => true,
            // Another finding says more about a text that is not a full URL.
            Self::Location => {
                !value.is_empty() && (value.chars().count() >= MIN_LOCATION || !is_full_url(value))
            }
            Self::Nothing => text.is_empty(),
            Self::Alternate => text == "alternate",
            Self::ChangeFreq => ChangeFreq::parse(text).is_some(),
            Self::Share => {
                let number = value.parse::<f64>();
                is_decimal(value) && number.is_ok_and(|number| (0.0..=1.0).contains(&number))
            }
            Self::Uri => is_uri(value),
            Self::FullUrl => is_full_url(value),
            Self::Date => is_sitemap_date(value),
        }
    }

    /// The allowed values, in words.
    pub(super) fn expected(self) -> String {
        match self {
            Self::Any => "any text".to_owned(),
            Self::Location => format!("a URL of {MIN_LOCATION} characters or more"),
            Self::Nothing => "empty".to_owned(),
            Self::Alternate => "`alternate`".to_owned(),
            Self::ChangeFreq => ChangeFreq::WORDS.map(|(word, _)| word).join(", "),
            Self::Share => "a number from 0.0 to 1.0".to_owned(),
            Self::Uri => "a URL".to_owned(),
            Self::FullUrl => "an absolute http or https URL".to_owned(),
            Self::Date => "a day (2024-05-06) or a time with seconds and a zone \
                           (2024-05-06T07:08:09+02:00), as the schema and W3C Datetime require"
                .to_owned(),
        }
    }
}

/// Whether a text is an xsd:decimal, which has no exponent.
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.bytes().any(|byte| byte.is_ascii_digit())
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
        && digits.matches('.').count() <= 1
}

/// Whether a text is an absolute http or https URL, as the protocol requires of every `<loc>`.
pub fn is_full_url(text: &str) -> bool {
    let rest = text.split_once("://").filter(|(scheme, _)| {
        scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
    });
    rest.is_some_and(|(_, rest)| !rest.is_empty() && !rest.starts_with(['/', '?', '#']))
        && is_uri(text)
}

/// Whether a text is a URI or a relative reference (RFC 3986 section 4.1). Characters that must be
/// percent-encoded do not count, as in xsd:anyURI.
fn is_uri(text: &str) -> bool {
    let mut parts = text.splitn(2, '#');
    let (before, fragment) = (parts.next().unwrap_or_default(), parts.next());
    let (hierarchy, query) = before.split_once('?').unwrap_or((before, ""));
    let (scheme, rest) = match hierarchy.split_once(':') {
        Some((scheme, rest)) if !scheme.contains('/') => (Some(scheme), rest),
        _ => (None, hierarchy),
    };
    let is_scheme = scheme.is_none_or(|scheme| {
        scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    });
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    is_scheme
        && is_authority(authority)
        && !path.contains(['[', ']', '#'])
        && !query.contains(['[', ']', '#'])
        && has_whole_escapes(path)
        && has_whole_escapes(query)
        && fragment.is_none_or(|text| !text.contains('#') && has_whole_escapes(text))
}

fn is_authority(text: &str) -> bool {
    let host = text.rsplit_once('@').map_or(text, |(_, host)| host);
    if let Some(literal) = host.strip_prefix('[') {
        return literal.contains(']');
    }
    let (name, port) = host.split_once(':').unwrap_or((host, "0"));
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    is_port && !name.contains(['[', ']']) && has_whole_escapes(text)
}

/// Whether every `%` begins two hexadecimal digits.
fn has_whole_escapes(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: ValueRule, allowed: &[&str], refused: &[&str]) {
        for text in allowed {
            assert!(rule.allows(text), "{text}");
        }
        for text in refused {
            assert!(!rule.allows(text), "{text}");
        }
    }

    #[test]
    fn the_types_of_xml_schema_decide_about_values() {
        check(
            ValueRule::Share,
            &["0", "1", "0.5", "+.5", "1.", " 1.0 ", "-0"],
            &["", "1.1", "-0.1", "5e-1", ".", "0,5", "NaN"],
        );
        check(
            ValueRule::Uri,
            &[
                "/a.png",
                "https://example.com/a b",
                "http://[::1]:8080/",
                "a?b=c#d",
            ],
            &["%zz", "http://a:b/", "1a:b", "a[b"],
        );
        check(
            ValueRule::Location,
            &["http://a.com", "/a"],
            &["", "http://a.de"],
        );
        check(
            ValueRule::Date,
            &[
                "1970-01-01",
                "9999-12-31",
                "2024-05-06T07:08:09.5-00:00",
                " 2024-05-06\n",
            ],
            &[
                "2024",
                "2024-05",
                "2024-05-06Z",
                "2024-05-06T07:08Z",
                "2024-05-06T07:08:09",
                "2024-05-06T24:00:00Z",
                "0000-05-06",
            ],
        );
        check(
            ValueRule::FullUrl,
            &["https://example.com"],
            &[
                "/a",
                "ftp://example.com/",
                "https://",
                "https:///a",
                "https:a",
            ],
        );
    }
}
