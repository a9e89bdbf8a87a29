//! A page's own language alternates, resolved and checked.

use super::{Case, Version};
use crate::finding::{Finding, Subject, code};
use crate::read::{Region, Said};

/// ISO 639-1, with codes that were withdrawn and still stand in pages (`iw`, `in`, `ji`).
const LANGUAGES: &str = "\
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el \
    en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it \
    iu iw ja ji jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr \
    ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si \
    sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi \
    yo za zh zu";

/// What looks like a region and has no effect (developers.google.com, "localized versions").
const NO_REGIONS: [&str; 3] = ["eu", "un", "uk"];

/// The language versions that a listed page names in its head; what engines would not read is reported.
pub(super) fn versions(case: &Case<'_>, findings: &mut Vec<Finding>) -> Box<[Said<Version>]> {
    if !case.site.settings.sitemap.hreflang {
        return Box::default();
    }
    let mut versions = Vec::with_capacity(case.facts.alternates.len());
    for said in &case.facts.alternates {
        let (language, place) = (said.value.hreflang.trim(), said.place);
        let shown = language.escape_debug();
        let mut report = |code, message: String, hint: &str| {
            let subject = Subject::Page(case.page.file.clone(), Some(place));
            findings.push(Finding::new(code, subject, message).with_hint(hint));
        };
        match said.value.region {
            Region::Noscript => {}
            Region::Body => {
                let message = format!("the hreflang link `{shown}` stands in the body, where engines ignore it");
                report(code::HREFLANG_IN_BODY, message, "move it into the head");
            }
            Region::Head if !is_language_code(language) => {
                let message = format!("`{shown}` is no language code that engines know, so the link is not written");
                report(code::HREFLANG_CODE, message, "use a form like `de`, `pt-BR`, `zh-Hant-TW` or `x-default`");
            }
            Region::Head => {
                if let Ok(url) = case.resolve(&said.value.href) {
                    versions.push(Said { value: Version { hreflang: language.into(), url }, place });
                }
            }
        }
    }
    versions.into_boxed_slice()
}

/// ISO 639-1, optionally ISO 15924 script and ISO 3166-1 alpha-2 region, with hyphens; or `x-default`
/// (developers.google.com, "localized versions"; region numbers such as `es-419` have no effect there).
fn is_language_code(code: &str) -> bool {
    if code.eq_ignore_ascii_case("x-default") {
        return true;
    }
    let mut parts = code.split('-');
    let letters = |part: &str, count: usize| part.len() == count && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let language = parts.next().is_some_and(|part| LANGUAGES.split(' ').any(|known| known.eq_ignore_ascii_case(part)));
    let region = |part: &str| letters(part, 2) && !NO_REGIONS.iter().any(|none| none.eq_ignore_ascii_case(part));
    let rest: Vec<&str> = parts.collect();
    language
        && match rest[..] {
            [] => true,
            [part] => region(part) || letters(part, 4),
            [script, last] => letters(script, 4) && region(last),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_documented_language_codes_are_written() {
        let check = |code: &str, expected: bool| assert_eq!(is_language_code(code), expected, "{code}");
        check("de", true);
        check("pt-BR", true);
        check("zh-Hant", true);
        check("zh-Hant-TW", true);
        check("x-default", true);
        check("en_US", false);
        check("es-419", false);
        check("en-GB", true);
        check("en-UK", false);
        check("de-eu", false);
        check("iw", true);
        check("jp", false);
        check("cn", false);
        check("deu", false);
        check("de-", false);
        check("", false);
    }
}
