//! The form of each sitemap: whether a strict reader comes to its end, and whether it keeps to the protocol's limits.

use rayon::prelude::*;

use super::Case;
use super::standing::StandingSitemap;
use super::tally::Tally;
use crate::bounds;
use crate::finding::{Code, Finding, Subject, code};
use crate::write::{Conformance, FlawKind, Listing, conformance_of};

/// Entries of one file (sitemaps.org protocol).
const MOST_ENTRIES: usize = 50_000;

/// Bytes of one file before it is compressed: 50 MiB (sitemaps.org protocol, since November 2016).
const MOST_BYTES: u64 = 52_428_800;

/// Reports sitemaps that are malformed, unreadable, empty, or larger than they may be.
pub(super) fn check(case: &Case<'_>, tally: &mut Tally) {
    let looked_at: Vec<Tally> = case.set.files.par_iter().map(|sitemap| look_at(case, sitemap)).collect();
    tally.absorb_all(looked_at);
}

fn look_at(case: &Case<'_>, sitemap: &StandingSitemap) -> Tally {
    let mut tally = Tally::default();
    let file = &sitemap.file;
    let opened = bounds::open(&file.below_folder(&case.survey.output_dir));
    let read = opened.map_err(Into::into).and_then(conformance_of);
    match read {
        Ok(conformance) => {
            report_flaws(sitemap, &conformance, &mut tally);
            if conformance.bytes > MOST_BYTES {
                let bytes = conformance.bytes;
                tell(&mut tally, code::SITEMAP_LIMITS, sitemap, || {
                    format!("`{file}` has {bytes} bytes, more than the {MOST_BYTES} that the protocol allows")
                });
            }
        }
        Err(error) => tell(&mut tally, code::SITEMAP_UNREADABLE, sitemap, || {
            format!("`{file}` cannot be read to its end: {error}")
        }),
    }
    if sitemap.entries > MOST_ENTRIES {
        tell(&mut tally, code::SITEMAP_LIMITS, sitemap, || {
            format!("`{file}` has {} entries, more than the {MOST_ENTRIES} that the protocol allows", sitemap.entries)
        });
    }
    if sitemap.entries == 0 && sitemap.trouble.is_none() {
        let what = if sitemap.listing == Listing::Pages { "address" } else { "sitemap" };
        tell(&mut tally, code::SITEMAP_EMPTY, sitemap, || format!("`{file}` lists no {what}"));
    }
    tally
}

fn tell(tally: &mut Tally, code: &'static Code, sitemap: &StandingSitemap, message: impl FnOnce() -> String) {
    tally.add(code, || Finding::new(code, Subject::Page(sitemap.file.clone(), None), message()));
}

fn report_flaws(sitemap: &StandingSitemap, conformance: &Conformance, tally: &mut Tally) {
    for flaw in &conformance.flaws {
        let (code, hint) = match flaw.kind {
            FlawKind::Malformed => (code::SITEMAP_MALFORMED, "write the file anew: a strict reader stops here"),
            FlawKind::Order => (code::SITEMAP_ORDER, "put the elements into the schema's order"),
            FlawKind::Namespace => {
                (code::SITEMAP_NAMESPACE, "begin with `<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">`")
            }
            FlawKind::NoLoc => (code::SITEMAP_ENTRY, "give each entry one `<loc>`"),
        };
        tally.add(code, || {
            let message = format!("`{}`: {}", sitemap.file, flaw.message);
            Finding::new(code, Subject::Page(sitemap.file.clone(), Some(flaw.place)), message).with_hint(hint)
        });
    }
    if conformance.more > 0 {
        tell(tally, code::SITEMAP_ORDER, sitemap, || {
            format!("`{}` has {} more entries like those above", sitemap.file, conformance.more)
        });
    }
}
