//! Where a page sends its visitors at once.

use super::case::Case;
use super::served::answering_page;
use crate::finding::Place;
use crate::location::PageUrl;
use crate::read::{Region, Said};

/// The address that the page sends its visitors to at once; `None` where that is the page itself.
///
/// An instant meta refresh says so, and so does a script that replaces the location at once, where a refresh in
/// `<noscript>` names the same address: that is how Zola writes its redirects. A script alone is not believed, nor is a
/// refresh that only readers without scripts see. A refresh after some seconds is temporary and leaves the page where
/// it is (developers.google.com, "redirects and Google Search").
pub(super) fn instant_target(case: &Case<'_>) -> Option<Said<PageUrl>> {
    let by_meta = instant_refreshes(case).filter(|(region, _)| *region != Region::Noscript);
    let by_script = case.facts.script_redirect.iter().filter_map(|said| {
        let target = resolved(case, &said.value, said.place)?;
        let confirmed = instant_refreshes(case).any(|(_, refresh)| refresh.value == target.value);
        confirmed.then_some(target)
    });
    by_meta
        .map(|(_, target)| target)
        .chain(by_script)
        .find(|target| answering_page(case.site, &target.value) != Some(&case.page.file))
}

/// Where the page's instant refreshes lead, and in which part of the page they stand.
fn instant_refreshes<'c>(case: &'c Case<'_>) -> impl Iterator<Item = (Region, Said<PageUrl>)> + 'c {
    case.facts.refreshes.iter().filter_map(|tag| {
        let refresh = parse(&tag.value.content).filter(|refresh| refresh.seconds == 0)?;
        Some((tag.value.region, resolved(case, refresh.target?, tag.place)?))
    })
}

fn resolved(case: &Case<'_>, href: &str, place: Place) -> Option<Said<PageUrl>> {
    case.resolve(href).ok().map(|value| Said { value, place })
}

struct Refresh<'a> {
    seconds: u64,
    target: Option<&'a str>,
}

/// The HTML standard's "shared declarative refresh steps", to the letter.
fn parse(content: &str) -> Option<Refresh<'_>> {
    let input = content.trim_start_matches(is_space);
    let digits = input.len() - input.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    if digits == 0 && !input.starts_with('.') {
        return None;
    }
    // Saturates: more digits than fit are a long time in any case.
    let seconds = if digits == 0 { 0 } else { input[..digits].parse().unwrap_or(u64::MAX) };
    let rest = input[digits..].trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
    if rest.is_empty() {
        return Some(Refresh { seconds, target: None });
    }
    if !rest.starts_with(|character| matches!(character, ';' | ',') || is_space(character)) {
        return None;
    }
    let rest = rest.trim_start_matches(is_space);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start_matches(is_space);
    let target = target_of(rest);
    Some(Refresh { seconds, target: (!target.is_empty()).then_some(target) })
}

fn target_of(rest: &str) -> &str {
    let after_url = rest
        .get(..3)
        .filter(|word| word.eq_ignore_ascii_case("url"))
        .and_then(|_| rest[3..].trim_start_matches(is_space).strip_prefix('='))
        .map(|after| after.trim_start_matches(is_space));
    let target = after_url.unwrap_or(rest);
    match target.chars().next() {
        Some(quote @ ('"' | '\'')) => target[1..].split(quote).next().unwrap_or_default(),
        _ => target,
    }
}

/// ASCII white space of the HTML standard.
fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\u{c}' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_is_read_as_browsers_read_it() {
        let check = |content: &str, expected: Option<(u64, Option<&str>)>| {
            let refresh = parse(content).map(|refresh| (refresh.seconds, refresh.target));
            assert_eq!(refresh, expected, "{content}");
        };
        check("0; url=/other.html", Some((0, Some("/other.html"))));
        check("0;/other.html", Some((0, Some("/other.html"))));
        check("0 url=/other.html", Some((0, Some("/other.html"))));
        check("0; URL = '/other.html' tail", Some((0, Some("/other.html"))));
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
