//! Parses the files that configure a host, and answers which headers and redirects apply to a path.
//!
//! The files are `_headers` and `_redirects` (Netlify, Cloudflare), `netlify.toml` and
//! `vercel.json`; no other module reads their rules. Only rules that affect a sitemap are kept:
//! `X-Robots-Tag`, `Link`, and redirects that take precedence over a page. A line that cannot be
//! parsed is reported and ignored. This module opens no files and knows nothing about pages.

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

use page_sources::generator::{HostDialect, HostFileKind};

pub use rule_origin::HostRuleOrigin;
pub use rules::{Header, HeaderName, HostRules, Redirect};

use rules::HostRuleCollector;
use site_paths::BaseUrl;
use site_paths::finding::Finding;

/// A host file, read from disk.
#[derive(Debug, Clone, Copy)]
pub struct HostFile<'t> {
    /// The kind of file.
    pub kind: HostFileKind,
    /// The path shown in messages.
    pub path: &'t Path,
    /// The content.
    pub text: &'t str,
}

/// Parses the files in the given order. Rules for other hosts than that of `base` are dropped.
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
    serving.build_indexes();
    serving
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use site_paths::finding::Subject;

    proptest! {
        #[test]
        fn any_text_can_be_parsed_and_each_finding_has_a_place(
            text in concat!(
                r#"([/:*!# \n\t"{}()\[\]=.,a\\-]|Link|301|https://"#,
                r"|source|headers|redirects|from|for|\PC){0,40}",
            ),
        ) {
            let base = BaseUrl::parse("https://example.com/").expect("a valid base URL");
            for (name, kind) in HostFileKind::NAMES {
                let mut findings = Vec::new();
                let file = HostFile { kind, path: Path::new(name), text: &text };
                let serving = read(&[file], HostDialect::Cloudflare, &base, &mut findings);
                serving.headers(b"/a/a.html");
                serving.redirect(b"/a/");
                for finding in findings {
                    let Subject::File(_, Some(place)) = finding.subject else {
                        panic!("{finding:?}")
                    };
                    let bytes = place.start as usize..place.end as usize;
                    prop_assert!(text.get(bytes).is_some(), "{name}: {place:?}");
                }
            }
        }
    }
}
