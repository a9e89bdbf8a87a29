//! Recognizes scripts that do little but redirect.

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
