//! What a new set of sitemaps changes: addresses that come, go, or have another date.
//!
//! The sitemaps on disk are read as they stand before they are replaced. Of a million pages that stay as they are,
//! nothing is kept but a byte each.

use std::path::Path;

use super::names::Names;
use super::plan::Plan;
use super::previous::Previous;
/// The difference between the sitemaps on disk and a plan; every list is sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Numbers of the plan's entries that no sitemap on disk lists.
    pub added: Vec<u32>,
    /// Addresses that a sitemap on disk lists, as it writes them, and the plan does not.
    pub removed: Vec<String>,
    /// Numbers of the plan's entries that the sitemaps on disk list with another date, or with none, or with one where
    /// there is none now.
    pub redated: Vec<u32>,
    /// Whether there was a sitemap at all.
    pub had_sitemap: bool,
    /// What could not be read, for people; the lists are then true only of what could.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    OtherDate,
    Same,
}

impl Changes {
    /// Compares a plan with the sitemaps that stand in the output folder.
    pub fn between(output_dir: &Path, plan: &Plan) -> Self {
        let mut previous = Previous::find(output_dir, &plan.base, Names { root: &plan.root });
        let mut seen = vec![Seen::Not; plan.entries.len()];
        let mut removed = Vec::new();
        previous.read_pages(output_dir, &mut |old| match plan.number_of(&old.loc) {
            None => removed.push(old.loc.clone()),
            Some(number) => {
                let date = plan.entries[number].lastmod.map(|date| date.to_text(plan.dates));
                let is_same = date.unwrap_or_default() == old.lastmod;
                if is_same {
                    seen[number] = Seen::Same;
                } else if seen[number] == Seen::Not {
                    seen[number] = Seen::OtherDate;
                }
            }
        });
        removed.sort_unstable();
        removed.dedup();
        let numbers =
            |wanted: Seen| (0..).zip(&seen).filter(|&(_, &seen)| seen == wanted).map(|(number, _)| number).collect();
        Self {
            added: numbers(Seen::Not),
            removed,
            redated: numbers(Seen::OtherDate),
            had_sitemap: !previous.roots.is_empty(),
            notes: previous.notes,
        }
    }
}

impl Plan {
    /// The number of the entry with this address, which may be spelt in another way than the plan's.
    pub(super) fn number_of(&self, url: &str) -> Option<usize> {
        let find = |url: &str| self.entries.binary_search_by(|entry| entry.loc.as_str().cmp(url)).ok();
        find(url).or_else(|| find(self.base.of_path(b"").resolve(url).ok()?.as_str()))
    }
}
