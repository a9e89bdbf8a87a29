//! The values that the schemas allow in elements and attributes, as XML Schema defines their types.

use crate::values::ChangeFreq;
use crate::w3c_date::is_w3c_datetime;

/// The values of an element or attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueRule {
    /// Any text, also none.
    Any,
    /// Any text but an empty one.
    Filled,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A word of the protocol for `<changefreq>`.
    ChangeFreq,
    /// A number from 0.
    Decimal { most: u16 },
    /// A URL, relative or absolute.
    Uri,
    /// An absolute http or https URL.
    FullUrl,
    /// A date in the protocol's format.
    W3cDate,
}

impl ValueRule {
    /// Whether the rule allows a value.
    pub(super) fn allows(self, text: &str) -> bool {
        // XML Schema trims the values of all types but strings.
        let value = text.trim_matches([' ', '\t', '\r', '\n']);
        match self {
            Self::Any => true,
            Self::Filled => !value.is_empty(),
            Self::OneOf(words) => words.contains(&text),
            Self::ChangeFreq => ChangeFreq::parse(text).is_some(),
            Self::Decimal { most } => {
                let is_number = is_decimal(value)
                    .then(|| value.parse::<f64>().ok())
                    .flatten();
                is_number.is_some_and(|number| (0.0..=f64::from(most)).contains(&number))
            }
            Self::Uri => is_uri(value),
            Self::FullUrl => {
                let rest = value
                    .strip_prefix("http://")
                    .or_else(|| value.strip_prefix("https://"));
                rest.is_some_and(|rest| !rest.is_empty()) && is_uri(value)
            }
            Self::W3cDate => is_w3c_datetime(value),
        }
    }

    /// The allowed values, in words.
    pub(super) fn expected(self) -> String {
        match self {
            Self::Any => "any text".to_owned(),
            Self::Filled => "a text that is not empty".to_owned(),
            Self::OneOf(words) => words.join(" or "),
            Self::ChangeFreq => ChangeFreq::WORDS.map(|(word, _)| word).join(", "),
            Self::Decimal { most } => format!("a number from 0.0 to {most}.0"),
            Self::Uri => "a URL".to_owned(),
            Self::FullUrl => "an absolute http or https URL".to_owned(),
            Self::W3cDate => "a date like 2024-05-06 or 2024-05-06T07:08:09+02:00".to_owned(),
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

/// Whether a text is a URI or a relative reference (RFC 3986 section 4.1). Characters that must be
/// percent-encoded do not count, as in xsd:anyURI; an empty text is not useful as a URL.
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
    let is_path = |text: &str| !text.contains(['[', ']', '#']) && has_whole_escapes(text);
    !text.is_empty()
        && is_scheme
        && is_authority(authority)
        && is_path(path)
        && is_path(query)
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
    let mut after = text.split('%').skip(1);
    after.all(|rest| {
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
            ValueRule::Decimal { most: 1 },
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
            &["", "%zz", "http://a:b/", "1a:b", "a[b"],
        );
        check(
            ValueRule::FullUrl,
            &["https://example.com"],
            &["/a", "ftp://example.com/", "https://"],
        );
    }
}
