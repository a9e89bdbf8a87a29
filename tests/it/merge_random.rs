//! Merges the shards of random sites, and compares the result with one build of the whole site, byte
//! for byte.
//!
//! `MERGE_ROUNDS` is the number of sites, `MERGE_SEED` the number of the first.

use std::env;
use std::fmt::Write;
use std::fs;

use crate::index_merge::set_in;
use crate::site_test::SiteTest;

const SECTIONS: u64 = 6;

/// Random numbers that are the same on every machine (splitmix64).
pub(crate) struct RandomNumbers(pub(crate) u64);

impl RandomNumbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub(crate) fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        let count = u64::try_from(values.len()).expect("a short list");
        values[usize::try_from(self.below(count)).expect("below the length")]
    }
}

/// A page of a random site, and the shard that builds it.
struct RandomPage {
    path: String,
    head: String,
    shard: u64,
}

/// How a site is split into shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ShardSplit {
    /// Each shard has only its own pages.
    Directories,
    /// Each shard has all pages, and settings that exclude those of others.
    Settings,
}

/// The settings of a random site, without the base URL and what a shard excludes.
fn random_settings(numbers: &mut RandomNumbers) -> String {
    let mut toml = format!(
        "[lastmod]\nfrom = [\"page\"]\nformat = \"{}\"\n[sitemap]\nmax_urls = {}\nmax_sitemaps = {}\n\
         gzip = \"{}\"\nformats = {}\nimages = {}\n",
        numbers.one_of(&["date", "datetime"]),
        1 + numbers.below(6),
        1 + numbers.below(5),
        numbers.one_of(&["off", "also", "only"]),
        numbers.one_of(&["[\"xml\"]", "[\"xml\", \"txt\"]"]),
        numbers.one_of(&["true", "false"]),
    );
    for (section, group) in [(0, "docs"), (3, "blog-2024")] {
        if numbers.below(2) == 0 {
            let priority = numbers.below(11);
            writeln!(
                toml,
                "[[rule]]\nmatch = \"s{section}/**\"\ngroup = \"{group}\"\npriority = {}.{}",
                priority / 10,
                priority % 10
            )
            .expect("a string accepts text");
        }
    }
    toml
}

fn random_pages(numbers: &mut RandomNumbers, shards: u64, split: ShardSplit) -> Vec<RandomPage> {
    let mut pages = Vec::new();
    let shard_of_section: Vec<u64> = (0..SECTIONS).map(|_| numbers.below(shards)).collect();
    for number in 0..3 + numbers.below(30) {
        let section = numbers.below(SECTIONS);
        let name = numbers.one_of(&["a", "ü", "a&b", "it's", "x y"]);
        let end = numbers.one_of(&[".html", "/index.html"]);
        let mut head = String::new();
        if numbers.below(3) > 0 {
            let (day, hour) = (1 + numbers.below(28), numbers.below(24));
            let date = format!("2024-02-{day:02}T{hour:02}:00:00+02:00");
            head = format!("<meta property=\"article:modified_time\" content=\"{date}\">");
        }
        pages.push(RandomPage {
            path: format!("s{section}/{name}{number}{end}"),
            head,
            shard: match split {
                ShardSplit::Directories => numbers.below(shards),
                ShardSplit::Settings => {
                    shard_of_section[usize::try_from(section).expect("a small number")]
                }
            },
        });
    }
    pages
}

/// Builds one shard, and returns its roots.
fn build_shard(
    site: &SiteTest,
    settings: &str,
    pages: &[RandomPage],
    shard: u64,
    split: ShardSplit,
) -> Vec<String> {
    let (dir, config) = (format!("shard-{shard}"), format!("shard-{shard}.toml"));
    let mut excluded = Vec::new();
    for page in pages {
        let is_own = page.shard == shard;
        if !is_own && split == ShardSplit::Settings {
            let section = page.path.split('/').next().expect("a section");
            excluded.push(format!("\"{section}/**\""));
        }
        if is_own || split == ShardSplit::Settings {
            site.page(format!("{dir}/{}", page.path), &page.head);
        }
    }
    excluded.sort_unstable();
    excluded.dedup();
    let excluded = excluded.join(", ");
    let base = "base_url = \"https://example.com/\"";
    site.write(
        &config,
        format!("{base}\nexclude = [{excluded}]\n{settings}"),
    );
    fs::create_dir_all(site.root().join(&dir)).expect("the directory can be created");
    if pages.iter().any(|page| page.shard == shard) {
        site.waypost(&[&dir, "--config", &config]).succeeded();
    }
    let roots = ["sitemap.xml", "sitemap.xml.gz"].map(|name| format!("{dir}/{name}"));
    let existing = roots
        .into_iter()
        .filter(|root| site.root().join(root).is_file());
    existing.take(1).collect()
}

/// Returns the number of sitemap indexes in the set.
fn check_site(seed: u64) -> usize {
    let numbers = &mut RandomNumbers(seed);
    let site = SiteTest::empty();
    let settings = random_settings(numbers);
    site.settings(&settings);
    let split = numbers.one_of(&[ShardSplit::Directories, ShardSplit::Settings]);
    let shards = 2 + numbers.below(3);
    let pages = random_pages(numbers, shards, split);
    for page in &pages {
        site.page(format!("whole/{}", page.path), &page.head);
    }
    site.waypost(&["whole", "--config", "waypost.toml"])
        .succeeded();
    let roots: Vec<String> = (0..shards)
        .flat_map(|shard| build_shard(&site, &settings, &pages, shard, split))
        .collect();
    fs::create_dir(site.root().join("merged")).expect("the directory is new");
    let mut arguments = vec!["index", "--merge", "--config", "waypost.toml"];
    arguments.extend(["--to", "merged/sitemap.xml"]);
    arguments.extend(roots.iter().map(String::as_str));
    site.waypost(&arguments).succeeded();
    let (merged, whole) = (set_in(&site, "merged"), set_in(&site, "whole"));
    assert!(
        merged == whole,
        "seed {seed}, {split:?}: {:?} differ from {:?}\n{settings}",
        merged.keys(),
        whole.keys()
    );
    let is_index = |name: &&String| name.contains("-index-");
    whole.keys().filter(is_index).count()
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "a longer run shows how much it compared"
)]
fn the_merged_shards_of_random_sites_equal_one_build() {
    let number = |name: &str, default: u64| {
        let text = env::var(name).ok();
        text.map_or(default, |text| text.parse().expect("a number"))
    };
    let (first, rounds) = (number("MERGE_SEED", 0), number("MERGE_ROUNDS", 20));
    let with_several_indexes = (first..first + rounds)
        .filter(|&seed| check_site(seed) > 0)
        .count();
    println!("{rounds} sites, {with_several_indexes} of them with several indexes: all equal");
    assert!(rounds < 20 || with_several_indexes > 0);
}
