//! Parses the files that configure a host, and answers which headers and redirects apply to a path,
//! and which URL a file has (`url_form.rs`).
//!
//! The files are `_headers` and `_redirects` (Netlify, Cloudflare), `netlify.toml`, `vercel.json` and
//! `firebase.json`; no other module reads their rules. Only rules that affect a sitemap are kept:
//! `X-Robots-Tag`, `Link`, `Content-Security-Policy`, Netlify's `Basic-Auth`, and redirects that take
//! precedence over a page. A line that the host ignores is ignored. This module knows nothing about pages
//! and opens no files: `site/host_files.rs` does.

mod cloudflare_headers;
mod cloudflare_pattern;
mod cloudflare_redirects;
mod firebase_json;
mod json_rules;
mod netlify_headers;
mod netlify_pattern;
mod netlify_redirects;
mod netlify_toml;
mod path_pattern;
mod rule_origin;
mod rules;
mod url_form;
mod vercel_json;

use std::path::PathBuf;

use crate::generators::{HostFileKind, HostServer};

pub use firebase_json::firebase_hosting;
pub use rules::{AppliedRedirect, Header, HeaderName, HostRules};
pub(crate) use url_form::serves_path;
pub use url_form::{UrlForm, candidate_files, files_for_path, serves};

use crate::findings::Findings;
use rule_origin::NumberedLines;
use rules::HostRuleCollector;
use sitemaps::site_paths::BaseUrl;

/// A file that configures a host, read from disk.
#[derive(Debug)]
pub struct HostFile {
    /// The kind of file.
    pub kind: HostFileKind,
    /// The path shown in messages.
    pub path: PathBuf,
    /// The content.
    pub text: String,
    /// The output directory, relative to the directory of the file, if it is below it.
    pub output: Option<PathBuf>,
}

/// Parses the files in the given order. Rules for other hosts than that of `base` are dropped.
pub fn read<'a>(
    files: &'a [HostFile],
    server: HostServer,
    base: &'a BaseUrl,
    findings: &'a Findings,
) -> HostRules {
    let mut collector = HostRuleCollector::new(base, findings);
    for file in files {
        collector.numbered = NumberedLines::new(&file.path, &file.text);
        collector.output = file.output.as_deref();
        let read = match (file.kind, server.has_cloudflare_rules()) {
            (HostFileKind::Headers, true) => cloudflare_headers::read,
            (HostFileKind::Headers, false) => netlify_headers::read,
            (HostFileKind::Redirects, true) => cloudflare_redirects::read,
            (HostFileKind::Redirects, false) => netlify_redirects::read,
            (HostFileKind::NetlifyToml, _) => netlify_toml::read,
            (HostFileKind::VercelJson, _) => vercel_json::read,
            (HostFileKind::FirebaseJson, _) => firebase_json::read,
        };
        read(&file.text, &mut collector);
    }
    collector.rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Subject;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_can_be_parsed_and_each_finding_has_a_place(
            text in concat!(
                r#"([/:*!# \n\t"{}()\[\]=.,a\\-]|Link|301|https://"#,
                r"|source|headers|redirects|from|for|hosting|\PC){0,40}",
            ),
        ) {
            let base = BaseUrl::parse("https://example.com/").expect("a valid base URL");
            for (name, kind) in HostFileKind::NAMES {
                let (path, text) = (name.into(), text.clone());
                let files = [HostFile { kind, path, text, output: None }];
                for server in [HostServer::Netlify, HostServer::CloudflarePages] {
                    let findings = Findings::default();
                    let serving = read(&files, server, &base, &findings);
                    serving.headers("/a/a.html");
                    serving.redirect("/a/");
                    for finding in findings.take_sorted() {
                        let Subject::File(_, Some(place)) = finding.subject else {
                            panic!("{finding:?}")
                        };
                        let bytes = place.start as usize..place.end as usize;
                        prop_assert!(files[0].text.get(bytes).is_some(), "{name}: {place:?}");
                    }
                }
            }
        }
    }
}
