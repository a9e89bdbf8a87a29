//! Recognizes redirects: parses the content of `<meta http-equiv=refresh>` into a delay and a target, and
//! finds the scripts whose only purpose is a redirect.

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

/// Marks of a condition, a function or another thing that a redirect page does without.
const MORE_THAN_A_REDIRECT: [&str; 6] = ["if(", "if (", "function", "=>", "&&", "{"];

/// Whether a script seems to leave the page at once, whatever the visitor does, such as that of Zola's
/// `internal/alias.html`. This does not parse the script, so it is a sign, not a proof.
pub(super) fn redirects_at_once(script: &str) -> bool {
    script.contains("location")
        && !MORE_THAN_A_REDIRECT
            .iter()
            .any(|text| script.contains(text))
}

/// The target of a page that Quarto writes for an alias (`redirect-map.ejs`). Its script chooses one by the
/// fragment of the URL; this is that without a fragment.
pub(super) fn alias_target(script: &str) -> Option<&str> {
    let (_, targets) = script.split_once("var redirects = {")?;
    let (_, target) = targets.split('}').next()?.split_once("\"\":\"")?;
    let target = target.split('"').next()?;
    script.contains("redirects[hash]").then_some(target)
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

    #[test]
    fn only_a_script_without_conditions_redirects_at_once() {
        let check = |script: &str, expected: bool| {
            assert_eq!(redirects_at_once(script), expected, "{script}");
        };
        let zola = "const target = \"/new/\";\n  const hash = window.location.hash || \"\";\n  \
                    window.location.replace(target + hash);\n";
        check(zola, true);
        check("location='/other.html'", true);
        check(
            "if (!window.fetch) location.replace('/old-browser.html')",
            false,
        );
        check("window.fetch && location.replace('/app.html')", false);
        check(
            "addEventListener('click', function () { location = '/a'; });",
            false,
        );
        check("setTimeout(() => location.replace('/a'), 5000)", false);
        check("let page = '/a'", false);
        check("", false);
    }

    #[test]
    fn the_target_of_an_alias_is_that_without_a_fragment() {
        let check = |map: &str, expected: Option<&str>| {
            let script = format!("var redirects = {map};\nvar redirect = redirects[hash];");
            assert_eq!(alias_target(&script), expected, "{map}");
        };
        check("{\"\":\"../a.html\"}", Some("../a.html"));
        check("{\"x\":\"b.html\",\"\":\"a.html\"}", Some("a.html"));
        check("{\"x\":\"b.html\"}", None);
        assert_eq!(alias_target("var redirects = {\"\":\"a.html\"};"), None);
    }
}
