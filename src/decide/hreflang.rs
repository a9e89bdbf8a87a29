//! Resolves and checks a page's language alternates.

use super::page_case::PageCase;
use crate::findings::{Finding, code};
use page_signals::{Region, TagPlace};
use sitemaps::site_paths::PageUrl;
use sitemaps::{LanguageLink, quoted};

/// A language version of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanguageVersion {
    /// Its language code and its URL.
    pub link: LanguageLink,
    /// The place of the link in the page; `None` if a sitemap that is replaced states it.
    pub place: Option<TagPlace>,
}

/// ISO 639-1, with withdrawn codes that pages still use (`iw`, `in`, `ji`).
const LANGUAGES: &str = "\
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy \
    da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu \
    hy hz ia id ie ig ii ik in io is it iu iw ja ji jv ka kg ki kj kk kl km kn ko kr ks ku kv kw \
    ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv \
    ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr \
    ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo \
    za zh zu";

/// Codes that look like regions but have no effect (developers.google.com, "localized versions").
const NO_REGIONS: [&str; 3] = ["eu", "un", "uk"];

/// What to do about an invalid code.
pub(crate) const INVALID_CODE_HINT: &str =
    "use a form like `de`, `pt-BR`, `zh-Hant-TW` or `x-default`";

/// Returns the language versions that a listed page names in its head, each with its code and place;
/// links that search engines ignore are reported.
pub(crate) fn versions(case: &PageCase<'_>) -> Vec<(String, PageUrl, TagPlace)> {
    if !case.site.settings.sitemap.hreflang {
        return Vec::new();
    }
    let mut versions = Vec::with_capacity(case.facts.alternates.len());
    for stated in &case.facts.alternates {
        // Some generators write locales, such as `zh_TW`.
        let language = stated.value.hreflang.trim().replace('_', "-");
        let (message, hint) = match stated.value.region {
            Region::Noscript => continue,
            Region::Body => (
                format!(
                    "the hreflang link `{}` is in the body, where search engines ignore it",
                    quoted(&language)
                ),
                "move it into the head",
            ),
            Region::Head if !is_language_code(&language) => (
                format!(
                    "`{}` is not a valid hreflang code, so the link is not written",
                    quoted(&language)
                ),
                INVALID_CODE_HINT,
            ),
            Region::Head => {
                if let Some(url) = case.resolve(&stated.value.href) {
                    versions.push((language, url, stated.place));
                }
                continue;
            }
        };
        let subject = case.subject_at(stated.place);
        let finding = Finding::new(code::HREFLANG_IGNORED, subject, message);
        case.site.findings.add(finding.with_hint(hint));
    }
    versions
}

/// Whether a code is valid for hreflang: ISO 639-1, optionally with an ISO 15924 script and an ISO
/// 3166-1 alpha-2 region, separated by hyphens; or `x-default` (developers.google.com, "localized
/// versions"; numeric regions such as `es-419` have no effect there).
pub fn is_language_code(code: &str) -> bool {
    if code.eq_ignore_ascii_case("x-default") {
        return true;
    }
    let mut parts = code.split('-');
    let letters = |part: &str, count: usize| {
        part.len() == count && part.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let language = parts
        .next()
        .is_some_and(|code| letters(code, 2) && LANGUAGES.contains(&code.to_ascii_lowercase()));
    let region = |part: &str| {
        letters(part, 2)
            && !NO_REGIONS
                .iter()
                .any(|none| none.eq_ignore_ascii_case(part))
    };
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
    fn only_documented_language_codes_are_valid() {
        let check =
            |code: &str, expected: bool| assert_eq!(is_language_code(code), expected, "{code}");
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
        check("ZU", true);
        check("iw", true);
        check("jp", false);
        check("cn", false);
        check("deu", false);
        check("de-", false);
        check("", false);
    }
}
