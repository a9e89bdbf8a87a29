//! Files that tell the host how to serve the pages → what each address is answered with: headers and redirects.
//!
//! `_headers` and `_redirects` (Netlify, Cloudflare), `netlify.toml` and `vercel.json`; this room is their only parser.
//! Only what bears on a sitemap is kept: `X-Robots-Tag`, `Link`, and redirects that win over a page. A line that cannot
//! be read is a finding and counts as none. No file is opened here, and nothing is said of pages.

mod headers_file;
mod netlify_toml;
mod path_pattern;
mod pattern_index;
mod redirects_file;
mod rule_origin;
mod rules;
mod source_pattern;
mod vercel_json;
mod wildcard;

use std::path::Path;

use serde::Deserialize;

pub use rule_origin::HostRuleOrigin;
pub use rules::{Header, HeaderName, HostRules, Redirect};

use crate::finding::Finding;
use crate::site_paths::BaseUrl;
use rules::HostRuleCollector;

/// How a host reads the two files whose names begin with an underscore.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostDialect {
    /// Netlify, which invented them: a page wins over a redirect unless that is forced (`301!`), a final slash makes no
    /// difference, the first rule that matches decides (docs.netlify.com, "redirect options", "trailing slash").
    #[default]
    Netlify,
    /// Cloudflare: "redirects are always followed, regardless of whether or not an asset matches", a final slash counts,
    /// and `! Name` takes a header off again (developers.cloudflare.com/pages/configuration/redirects).
    Cloudflare,
}

/// The files that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum HostFileKind {
    /// `_headers` in the output folder.
    #[serde(rename = "_headers")]
    Headers,
    /// `_redirects` in the output folder.
    #[serde(rename = "_redirects")]
    Redirects,
    /// `netlify.toml` at the site's root.
    #[serde(rename = "netlify.toml")]
    NetlifyToml,
    /// `vercel.json` at the site's root.
    #[serde(rename = "vercel.json")]
    VercelJson,
}

impl HostFileKind {
    /// All of them by name, in the order in which their rules are asked.
    pub const NAMES: [(&str, Self); 4] = [
        ("_headers", Self::Headers),
        ("_redirects", Self::Redirects),
        ("netlify.toml", Self::NetlifyToml),
        ("vercel.json", Self::VercelJson),
    ];

    /// Whether it lies in the output folder; the others lie at the site's root.
    pub fn is_published(self) -> bool {
        matches!(self, Self::Headers | Self::Redirects)
    }
}

/// One of the files, read from disk.
#[derive(Debug, Clone, Copy)]
pub struct HostFile<'t> {
    /// Which it is.
    pub kind: HostFileKind,
    /// Under which path it is shown.
    pub path: &'t Path,
    /// Its text.
    pub text: &'t str,
}

/// Reads the files in their order. Rules for other hosts than that of `base` are dropped.
pub fn read(
    files: &[HostFile<'_>],
    dialect: HostDialect,
    base: &BaseUrl,
    findings: &mut Vec<Finding>,
) -> HostRules {
    let mut serving = HostRules::default();
    for file in files {
        let mut collector = HostRuleCollector::new(file, dialect, base, &mut serving, findings);
        match file.kind {
            HostFileKind::Headers => headers_file::read(file.text, &mut collector),
            HostFileKind::Redirects => redirects_file::read(file.text, &mut collector),
            HostFileKind::NetlifyToml => netlify_toml::read(file.text, &mut collector),
            HostFileKind::VercelJson => vercel_json::read(file.text, &mut collector),
        }
    }
    serving.arrange();
    serving
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Subject;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_read_and_what_is_refused_is_pointed_at(
            text in r#"([/:*!# \n\t"{}()\[\]=.,a\\-]|Link|301|https://|source|headers|redirects|from|for|\PC){0,40}"#,
        ) {
            let base = BaseUrl::parse("https://example.com/").expect("a base");
            for (name, kind) in HostFileKind::NAMES {
                let mut findings = Vec::new();
                let file = HostFile { kind, path: Path::new(name), text: &text };
                let serving = read(&[file], HostDialect::Cloudflare, &base, &mut findings);
                serving.headers(b"/a/a.html");
                serving.redirect(b"/a/");
                for finding in findings {
                    let Subject::File(_, Some(place)) = finding.subject else { panic!("{finding:?}") };
                    prop_assert!(text.get(place.start as usize..place.end as usize).is_some(), "{name}: {place:?}");
                }
            }
        }
    }
}
