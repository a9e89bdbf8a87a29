//! Checks that each sitemap is well-formed for a strict parser and within the protocol's limits.

use std::io::{self, Read};
use std::path::Path;

use site_paths::finding::{Code, Finding, Place, Subject, code};
use site_paths::{MAX_SITEMAP_BYTES, MAX_SITEMAP_ENTRIES};
use sitemaps::{Conformance, SitemapFlawKind, SitemapListing, validate};

/// A sitemap from any source, with the facts that a tolerant reader collected.
pub struct ParsedSitemap<'a> {
    /// Its name in messages.
    pub name: &'a str,
    /// Builds the subject of a finding about it.
    pub subject: &'a dyn Fn(Option<Place>) -> Subject,
    /// Whether it lists pages or sitemaps.
    pub listing: SitemapListing,
    /// The number of entries.
    pub entries: usize,
    /// Whether the tolerant reader reached the end.
    pub is_complete: bool,
}

/// Findings about the form of one sitemap.
pub fn check_conformance(input: io::Result<impl Read>, seen: &ParsedSitemap<'_>) -> Vec<Finding> {
    let name = seen.name;
    let mut findings = Vec::new();
    let mut tell = |code: &'static Code, message: String| {
        findings.push(Finding::new(code, (seen.subject)(None), message));
    };
    let read = input.map_err(Into::into).and_then(validate);
    match &read {
        Ok(conformance) if conformance.bytes > MAX_SITEMAP_BYTES as u64 => {
            let (bytes, most) = (conformance.bytes, MAX_SITEMAP_BYTES);
            let message = format!(
                "`{name}` has {bytes} bytes, more than the {most} that the protocol allows"
            );
            tell(code::SITEMAP_LIMITS, message);
        }
        Ok(_) => {}
        Err(error) => tell(
            code::SITEMAP_INVALID,
            format!("`{name}` cannot be read completely: {error}"),
        ),
    }
    if seen.entries > MAX_SITEMAP_ENTRIES {
        let (entries, most) = (seen.entries, MAX_SITEMAP_ENTRIES);
        let message = format!(
            "`{name}` has {entries} entries, more than the {most} that the protocol allows"
        );
        tell(code::SITEMAP_LIMITS, message);
    }
    if seen.entries == 0 && seen.is_complete {
        let what = if seen.listing == SitemapListing::Pages {
            "URLs"
        } else {
            "sitemaps"
        };
        // An empty text file is a valid list, but an empty XML file is malformed.
        let is_list = Path::new(name.trim_end_matches(".gz"))
            .extension()
            .is_some_and(|ending| ending == "txt");
        match &read {
            Ok(Conformance {
                is_text: true,
                bytes: 0,
                ..
            }) if !is_list => {
                tell(
                    code::SITEMAP_INVALID,
                    format!("`{name}` is not a sitemap: the file is empty"),
                );
            }
            Ok(Conformance {
                is_text: true,
                bytes: 1..,
                flaws,
                ..
            }) if flaws.iter().all(|flaw| flaw.kind == SitemapFlawKind::Line) => {
                tell(
                    code::SITEMAP_INVALID,
                    format!("`{name}` is not a sitemap: neither XML nor a list of URLs"),
                );
            }
            // The encoding explains why no entry was found.
            Ok(conformance) if conformance.is_of_other_encoding() => {}
            _ => tell(code::SITEMAP_INVALID, format!("`{name}` lists no {what}")),
        }
    }
    findings.extend(read.iter().flat_map(|conformance| flaws(seen, conformance)));
    findings
}

fn flaws(seen: &ParsedSitemap<'_>, conformance: &Conformance) -> Vec<Finding> {
    let finding = |flaw: &sitemaps::SitemapFlaw| {
        let hint = match flaw.kind {
            SitemapFlawKind::Encoding => "write the file as UTF-8, and declare no other encoding",
            SitemapFlawKind::Schema => {
                "correct the entry; validators and strict readers reject the file"
            }
            SitemapFlawKind::Line => {
                "write one full URL per line, with scheme and host, and nothing else"
            }
            SitemapFlawKind::Malformed => "regenerate the file; strict parsers stop here",
            SitemapFlawKind::Order => "use the element order of the schema",
            SitemapFlawKind::Namespace => {
                "begin with `<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">`"
            }
            SitemapFlawKind::NoLoc => "give each entry one `<loc>`",
        };
        let code = match flaw.kind {
            SitemapFlawKind::Line => code::LOC_INVALID,
            _ => code::SITEMAP_INVALID,
        };
        let message = format!("`{}`: {}", seen.name, flaw.message);
        Finding::new(code, (seen.subject)(Some(flaw.place)), message).with_hint(hint)
    };
    // A text file without any URL is reported as a whole.
    let is_other_text = conformance.is_text && seen.entries == 0;
    let flaws = conformance.flaws.iter();
    let flaws = flaws.filter(|flaw| !is_other_text || flaw.kind != SitemapFlawKind::Line);
    let mut findings: Vec<Finding> = flaws.map(finding).collect();
    let last = findings.last().map(|finding| finding.code);
    if let Some(code) = last.filter(|_| conformance.unreported > 0) {
        let message = format!(
            "`{}` has {} more flaws like those above",
            seen.name, conformance.unreported
        );
        let mut more = Finding::new(code, (seen.subject)(None), message);
        more.count = conformance.unreported;
        findings.push(more);
    }
    findings
}
