//! Parses the content of `<meta http-equiv=refresh>` into a delay and a target.

/// Delay and target of a refresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refresh<'a> {
    /// Delay in whole seconds; a fraction is dropped.
    pub seconds: u64,
    /// URL as written; `None` for the page itself.
    pub target: Option<&'a str>,
}

impl<'a> Refresh<'a> {
    /// Parses by the HTML standard's "shared declarative refresh steps", exactly.
    pub fn parse(content: &'a str) -> Option<Self> {
        let input = content.trim_ascii_start();
        let digits = input.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 && !input.starts_with('.') {
            return None;
        }
        // Saturates: a number that does not fit is a long time anyway.
        let seconds = if digits == 0 {
            0
        } else {
            input[..digits].parse().unwrap_or(u64::MAX)
        };
        let rest = input[digits..]
            .trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
        if rest.is_empty() {
            return Some(Self {
                seconds,
                target: None,
            });
        }
        if !rest.starts_with(|character: char| {
            matches!(character, ';' | ',') || character.is_ascii_whitespace()
        }) {
            return None;
        }
        let rest = rest.trim_ascii_start();
        let target = target_of(
            rest.strip_prefix([';', ','])
                .unwrap_or(rest)
                .trim_ascii_start(),
        );
        Some(Self {
            seconds,
            target: (!target.is_empty()).then_some(target),
        })
    }
}

fn target_of(rest: &str) -> &str {
    let after_url = rest
        .get(..3)
        .filter(|word| word.eq_ignore_ascii_case("url"))
        .and_then(|_| rest[3..].trim_ascii_start().strip_prefix('='))
        .map(str::trim_ascii_start);
    let target = after_url.unwrap_or(rest);
    match target.chars().next() {
        Some(quote @ ('"' | '\'')) => target[1..].split(quote).next().unwrap_or_default(),
        _ => target,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_is_parsed_like_in_a_browser() {
        let check = |content: &str, expected: Option<(u64, Option<&str>)>| {
            let refresh = Refresh::parse(content).map(|refresh| (refresh.seconds, refresh.target));
            assert_eq!(refresh, expected, "{content}");
        };
        check("0; url=/other.html", Some((0, Some("/other.html"))));
        check("0;/other.html", Some((0, Some("/other.html"))));
        check("0 url=/other.html", Some((0, Some("/other.html"))));
        check(
            "0; URL = '/other.html' tail",
            Some((0, Some("/other.html"))),
        );
        check("0.9,url=x", Some((0, Some("x"))));
        check(".5;x", Some((0, Some("x"))));
        check("5; url=x", Some((5, Some("x"))));
        check("0", Some((0, None)));
        check("0;", Some((0, None)));
        check("; url=x", None);
        check("now; url=x", None);
        check("0x; url=x", None);
        check("99999999999999999999999; x", Some((u64::MAX, Some("x"))));
    }
}
