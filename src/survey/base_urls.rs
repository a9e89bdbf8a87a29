//! The base URLs that URLs imply: the beginnings below which the rest of a URL is that of a file.
//! Placeholders of templates and local servers do not say where a site is served.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;

use super::{ReplacedSet, SiteSurvey};
use crate::files::tree::Tree;
use crate::findings::{Finding, Subject, code};
use crate::hosts::{candidate_files, files_for_path, serves_path};
use crate::survey::SurveyedFile;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};

/// How many entries to look at.
const SAMPLE: usize = 64;

/// Names that no site in the public DNS has: RFC 2606, RFC 6761 and RFC 6762.
const RESERVED_ENDINGS: [&str; 5] = ["example", "invalid", "local", "localhost", "test"];

/// What follows `your-` in a placeholder. `your-` alone also begins the names of real sites.
const YOURS: [&str; 15] = [
    "app", "blog", "company", "docs", "domain", "host", "name", "org", "page", "project", "repo",
    "site", "url", "username", "website",
];

impl SiteSurvey {
    /// From now on, the entries of the sitemaps of other programs that are replaced count by their
    /// paths below their own base URL.
    pub(crate) fn rebase(&mut self, replaced: &ReplacedSet, output: &Tree, base: &BaseUrl) {
        for path in &replaced.foreign {
            let Some(file) = self.sitemaps.file(path) else {
                continue;
            };
            let locs = file.entries.iter().map(|entry| entry.loc).take(SAMPLE);
            let urls: Vec<PageUrl> = locs.filter_map(|loc| PageUrl::parse(&loc)).collect();
            if let Some(own) = own_base(&urls, output).filter(|own| own != base) {
                self.sitemaps.rebase(path, &own, base);
                self.other_base.get_or_insert(own);
            }
        }
    }

    /// The first URLs that a file lists; those of an index are of its children and in them.
    pub(crate) fn first_urls(&self, file: &SurveyedFile) -> Vec<PageUrl> {
        let children = file
            .child_files()
            .filter_map(|child| self.sitemaps.file(child));
        let locs = file.locs().chain(children.flat_map(SurveyedFile::locs));
        locs.take(SAMPLE)
            .filter_map(|loc| PageUrl::parse(&loc))
            .collect()
    }
}

/// Returns the base URL below which most of the URLs of a sitemap are files of the output directory; `None`
/// if those are fewer than half, as in the sitemap of another build.
pub(crate) fn own_base(urls: &[PageUrl], output: &Tree) -> Option<BaseUrl> {
    let bases = urls
        .iter()
        .flat_map(|url| implied_bases(url, |path| has_path(output, path)));
    let (base, count, _) = most_named(bases)?;
    (count * 2 >= urls.len()).then_some(base)
}

/// Returns the base URL below which `url` is that of a file of the output directory, if there is such a
/// file. The longest path that is a file decides.
pub(crate) fn base_of_file(url: &PageUrl, output: &Tree) -> Option<BaseUrl> {
    implied_bases(url, |path| has_path(output, path)).next()
}

/// Returns the base URL under which `url` is the page `file`; `None` if it is another page's URL.
pub(crate) fn named_base(file: &SitePath, url: &PageUrl) -> Option<BaseUrl> {
    let single = url.with_single_slashes();
    let url = single.as_ref().unwrap_or(url);
    implied_bases(url, |path| serves_path(file, path)).next()
}

/// The file of the output directory that a host serves at a URL.
pub(crate) fn file_at(output: &Tree, base: &BaseUrl, url: &PageUrl) -> Option<SitePath> {
    let mut files = candidate_files(base, url).into_iter();
    files.find(|file| output.has_file(file))
}

/// Whether a path below a base URL, still encoded, is that of a file of the output directory.
fn has_path(output: &Tree, path: &str) -> bool {
    files_for_path(path)
        .iter()
        .any(|file| output.has_file(file))
}

/// The base URLs below which a URL has a path of which `is_here` holds, the shortest first.
fn implied_bases(url: &PageUrl, is_here: impl Fn(&str) -> bool) -> impl Iterator<Item = BaseUrl> {
    let path = url.path_and_query();
    path.match_indices('/')
        .filter(move |(at, _)| is_here(&path[at + 1..]))
        .filter_map(move |(at, _)| {
            BaseUrl::parse(&format!("{}{}", url.origin(), &path[..=at])).ok()
        })
}

/// The base URL that most of some URLs imply, with its count and the count of all. Of several, one that is
/// not a placeholder wins, then the shortest.
pub(crate) fn most_named(
    bases: impl IntoIterator<Item = BaseUrl>,
) -> Option<(BaseUrl, usize, usize)> {
    let mut counts = BTreeMap::new();
    let mut all = 0;
    for base in bases {
        let key = base.as_str().to_owned();
        counts.entry(key).or_insert((base, 0)).1 += 1;
        all += 1;
    }
    let (base, count) = counts.into_values().max_by_key(|(base, count)| {
        let length = Reverse(base.as_str().len());
        (*count, !is_placeholder(base), length)
    })?;
    Some((base, count, all))
}

/// Whether no site has this URL: it is the placeholder of a template (`example.com`, `your-site.com`), that
/// of a local server, or a mistake, such as the URL of the repository, `https://undefined/` or two URLs in one.
///
/// Subdomains of `example.com` count as a site's own choice: documentation uses them, templates do
/// not.
pub(crate) fn is_placeholder(base: &BaseUrl) -> bool {
    let host = base.host().trim_end_matches('.').to_ascii_lowercase();
    let labels: Vec<&str> = host.split('.').collect();
    let is_never_a_site = match labels[..] {
        // Only a local network has names without a dot.
        [name] if !name.starts_with('[') => true,
        ["example" | "github" | "gitlab", "com"]
        | ["example", "net" | "org"]
        | ["bitbucket" | "codeberg", "org"]
        | ["www", "example", "com" | "net" | "org"] => true,
        // A template joined a base URL without a final slash and a URL that has it already.
        [.., last] => RESERVED_ENDINGS.contains(&last) || last.ends_with("https"),
        [] => false,
    };
    base.is_local()
        || is_never_a_site
        || base.path().contains("http:/")
        || base.path().contains("https:/")
        || labels.iter().any(|label| is_yours(label))
}

/// Whether a label is `yoursite`, `your-site` or `your-docusaurus-site`.
fn is_yours(label: &str) -> bool {
    let Some(rest) = label.strip_prefix("your") else {
        return false;
    };
    match rest.strip_prefix('-') {
        Some(words) => words.split('-').any(|word| YOURS.contains(&word)),
        None => YOURS.contains(&rest),
    }
}

/// The finding about a base URL that is only a placeholder. `origin` is where it was found, and
/// `setting` what sets it.
pub fn placeholder_finding(base: &BaseUrl, origin: impl Display, setting: &str) -> Option<Finding> {
    if !is_placeholder(base) {
        return None;
    }
    let message = format!(
        "`{base}`, from {origin}, is not the URL of a site, but a placeholder, a local server or a mistake"
    );
    let hint = format!(
        "set {setting} to the URL of the site and build the site again; if `{base}` is right, pass it \
         with `--base-url`"
    );
    Some(Finding::new(code::BASE_URL_PLACEHOLDER, Subject::Site, message).with_hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_names_itself_names_the_base_url() {
        let check = |file: &str, url: &str, expected: Option<&str>| {
            let root = BaseUrl::parse("https://example.com/").expect("a base URL");
            let url = root.resolve(url).expect("a URL");
            let base = named_base(&SitePath::from(file), &url);
            assert_eq!(base.as_ref().map(BaseUrl::as_str), expected, "{file} {url}");
        };
        check("index.html", "https://a.net/", Some("https://a.net/"));
        check(
            "index.html",
            "https://a.net/docs/",
            Some("https://a.net/docs/"),
        );
        check(
            "a/index.html",
            "https://a.net/docs/a/",
            Some("https://a.net/docs/"),
        );
        check("a/index.html", "https://a.net/a", Some("https://a.net/"));
        check(
            "a/index.html",
            "https://a.net/a/index.html",
            Some("https://a.net/"),
        );
        check("a/b.html", "https://a.net/x/a/b", Some("https://a.net/x/"));
        check("a/b.html", "https://a.net/x/a/b/", Some("https://a.net/x/"));
        check(
            "a b.html",
            "https://a.net/a%20b.html",
            Some("https://a.net/"),
        );
        check(
            "a/index.html",
            "https://a.net/x//a/",
            Some("https://a.net/x/"),
        );
        check("index.html", "https://a.net//", Some("https://a.net/"));
        check("a/index.html", "https://a.net/ba/", None);
        check("a/index.html", "https://a.net/b/", None);
        check("a.html", "https://a.net/a.html?x=1", None);
    }

    #[test]
    fn placeholders_differ_from_the_urls_of_sites() {
        let check = |host: &str, expected: bool| {
            let base = BaseUrl::parse(&format!("https://{host}/")).expect("a base URL");
            assert_eq!(is_placeholder(&base), expected, "{host}");
        };
        for host in [
            "undefined",
            "github.com/acme/tool",
            "a.devhttps://a.dev",
            "a.dev/https://a.dev",
            "example.com",
            "EXAMPLE.org",
            "www.example.net",
            "yoursite.com",
            "yourdomain.io",
            "your-site.netlify.app",
            "your-docusaurus-site.example.com",
            "your-username.github.io",
            "localhost",
            "localhost:4000",
            "127.0.0.1:1111",
            "0.0.0.0:8000",
            "[::1]:3000",
            "mac.local",
            "blog.test",
            "a.invalid",
        ] {
            check(host, true);
        }
        for host in [
            "example.dev",
            "acme.dev/https-only",
            "acme.dev/w/Category:/",
            "[2606:4700::1111]",
            "docs.github.com",
            "examples.com",
            "example.github.io",
            "my-example.com",
            "docs.example.com",
            "yours.org",
            "yourmove.co.uk",
            "your-home.de",
            "localhost.run",
            "test.de",
            "local.ch",
            "latest.site",
            "192.0.2.7",
        ] {
            check(host, false);
        }
    }
}
