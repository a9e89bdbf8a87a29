//! Maps files to the URLs at which a host serves them, and back.
//!
//! A pure function of the file, the form of URLs and the server: other files are not looked at. The
//! comparison with the hosts' own code is `tests/slow/hosts.sh --names`. GitHub Pages and Netlify's
//! `pretty_urls` follow observations of the hosts (github.com/slorber/trailing-slash-guide), GitLab
//! Pages the source of its server (`internal/serving/disk/reader.go`).

use std::borrow::Cow;

use crate::generators::HostServer;
use crate::settings::{Settings, UrlStyle};
use sitemaps::site_paths::{BaseUrl, INDEX_FILES, PageUrl, SitePath, decode};

/// The form of a site's URLs, and the server that has it.
#[derive(Debug, Clone, Copy, Default)]
pub struct UrlForm {
    /// The form that the host's settings, the site's or waypost's name.
    pub style: UrlStyle,
    /// Whose server answers.
    pub server: HostServer,
}

impl UrlForm {
    /// The form in the settings of a run.
    pub fn of(settings: &Settings) -> Self {
        Self {
            style: settings.url_style,
            server: settings.server,
        }
    }

    /// Returns the URL of a file without regard to canonical links: `x/` for `x/index.html`, and the
    /// file's own name otherwise. Some URL styles remove `.html` or add or remove a trailing slash.
    pub fn url_of(self, base: &BaseUrl, file: &SitePath) -> PageUrl {
        match self.path_of(file) {
            path if self.encodes(&path) => base.encoded_url(&path),
            Cow::Borrowed(beginning) => base.prefix_url(file, beginning.len()),
            Cow::Owned(path) => base.path_url(&path),
        }
    }

    /// Returns that URL as a path below the base, not encoded. A borrowed path is the beginning of
    /// the file's path.
    pub fn path_of(self, file: &SitePath) -> Cow<'_, [u8]> {
        let own = file.as_bytes();
        let dir = self.index_of(file).map(without_slash);
        let bare = dir.or_else(|| own.strip_suffix(b".html").filter(|_| self.is_clean()));
        let Some(bare) = bare.filter(|_| self.style != UrlStyle::Exact) else {
            return Cow::Borrowed(own);
        };
        let has_slash = match self.style {
            _ if self.is_slashless() => false,
            UrlStyle::CleanSlashed | UrlStyle::KeepSlashed => {
                self.server != HostServer::Vercel || !ends_as_file(bare)
            }
            _ => dir.is_some(),
        };
        match own.get(bare.len()) {
            _ if bare.is_empty() || !has_slash => Cow::Borrowed(bare),
            Some(b'/') => Cow::Borrowed(&own[..=bare.len()]),
            _ => Cow::Owned([bare, b"/"].concat()),
        }
    }

    /// Whether the URL of `x.html` lacks `.html`.
    fn is_clean(self) -> bool {
        matches!(
            self.style,
            UrlStyle::Clean | UrlStyle::CleanSlashless | UrlStyle::CleanSlashed
        )
    }

    /// Whether the URL of `x/index.html` lacks the slash.
    fn is_slashless(self) -> bool {
        matches!(
            self.style,
            UrlStyle::CleanSlashless | UrlStyle::KeepSlashless
        )
    }

    /// The directory, with its final `/`, that an index page is served for. Every server knows
    /// `index.html`; other names are the matter of servers that can be told so. Elsewhere such a file
    /// has a URL of its own.
    fn index_of(self, file: &SitePath) -> Option<&[u8]> {
        file.index_of()
            .filter(|_| self.server == HostServer::Plain || file.file_name() == b"index.html")
    }

    /// Whether the server redirects the path to one in which `@ , + & = $ : ;` are encoded, as by
    /// JavaScript's `encodeURIComponent` (`encodePath` of `@cloudflare/workers-shared`).
    fn encodes(self, path: &[u8]) -> bool {
        self.server == HostServer::CloudflareWorkers
            && path.iter().any(|byte| b"@,+&=$:;".contains(byte))
    }

    /// Whether the server answers a URL with this file, without a redirect to another form of it. Of an
    /// unknown server, any form is believed.
    pub fn answers(self, base: &BaseUrl, file: &SitePath, url: &PageUrl) -> bool {
        let Some(path) = base.path_below(url).filter(|path| !path.contains('?')) else {
            return false;
        };
        let Some(styles) = self.other_answers() else {
            return serves_path(file, path);
        };
        let decoded = decode(path);
        // The root below a path is a directory like others.
        let is_slashless = path.is_empty() && !url.as_str().ends_with('/');
        let others = styles.iter().map(|&style| Self { style, ..self });
        std::iter::once(self).chain(others).any(|form| {
            let own = form.path_of(file);
            own == decoded
                && (!is_slashless || form.is_slashless())
                && (!form.encodes(&own) || *url == form.url_of(base, file))
        })
    }

    /// The other forms that the server answers without a redirect; `None` if they are unknown.
    fn other_answers(self) -> Option<&'static [UrlStyle]> {
        use UrlStyle::{
            Clean, CleanSlashed, CleanSlashless, Exact, Keep, KeepSlashed, KeepSlashless,
        };
        let styles: &[UrlStyle] = match (self.server, self.style) {
            // With `pretty_urls`, Netlify redirects between `/x` and `/x/`. On Firebase, the exact name of
            // a file precedes everything but `cleanUrls`.
            (HostServer::Netlify, Clean)
            | (HostServer::Firebase, Keep | KeepSlashless | KeepSlashed) => &[Exact],
            (HostServer::Plain | HostServer::Netlify, _) => return None,
            // The form of the settings is not the host's.
            (HostServer::CloudflarePages | HostServer::CloudflareWorkers, Keep) => &[Clean],
            (HostServer::Vercel, Keep) => &[KeepSlashless],
            (HostServer::Vercel, Clean) => &[CleanSlashless, CleanSlashed],
            (HostServer::Firebase, Clean) => &[CleanSlashless],
            (HostServer::GithubPages, _) => &[Clean, Exact],
            (HostServer::GitlabPages, _) => &[Clean, CleanSlashed, Exact],
            _ => &[],
        };
        Some(styles)
    }

    /// Whether the server redirects every URL of a file to another one: with `cleanUrls`, Vercel
    /// redirects all that ends in `index` or `.html` (`convertCleanUrls` of `@vercel/routing-utils`).
    pub fn redirects(self, file: &SitePath) -> bool {
        let path = self.path_of(file);
        let path = without_slash(&path);
        let is_index = path == b"index" || path.ends_with(b"/index");
        self.server == HostServer::Vercel
            && self.is_clean()
            && (is_index || path.ends_with(b".html"))
    }

    /// Whether the server finds no file of this name: Firebase's decodes requests with `decodeURI`,
    /// which leaves the codes of `#` and `?`, and rejects parent directories.
    pub fn cannot_find(self, file: &SitePath) -> bool {
        let name = file.as_bytes();
        self.server == HostServer::Firebase
            && (name.contains(&b'#')
                || name.contains(&b'?')
                || name
                    .windows(3)
                    .any(|part| part == b"../" || part == b"..\\"))
    }

    /// Returns the files that the server could serve for a URL, most likely first: `/about/` is
    /// `about/index.html` if that exists, else `about.html`. Empty for a URL outside the base.
    pub fn files_at(self, base: &BaseUrl, url: &PageUrl) -> Vec<SitePath> {
        let Some(path) = base.path_below(url) else {
            return Vec::new();
        };
        let mut files = files_for_path(path);
        if let Some(slashless) = path.strip_suffix('/') {
            files.extend(files_for_path(slashless));
        }
        if self.server == HostServer::Firebase {
            // A directory precedes `cleanUrls`.
            files.sort_by_key(|file| self.index_of(file).is_none() && file.is_html());
        }
        files
    }
}

/// Whether a common server serves this file at `url`: by its own name, without `.html`, or as its
/// directory with or without a trailing slash.
///
/// Without this rule, a site with clean URLs (canonical link `/about` for `about.html`) would lose
/// every page.
pub fn serves(base: &BaseUrl, file: &SitePath, url: &PageUrl) -> bool {
    base.path_below(url)
        .is_some_and(|path| serves_path(file, path))
}

/// Whether a common server serves this file at a path below the base, still encoded.
pub(crate) fn serves_path(file: &SitePath, path: &str) -> bool {
    if path.contains('?') {
        return false;
    }
    let path = decode(path);
    let own = file.as_bytes();
    let bare = file.index_of().or_else(|| own.strip_suffix(b".html"));
    *own == *path || bare.is_some_and(|bare| without_slash(bare) == without_slash(&path))
}

/// Returns the files that a host could serve for `path` (below the base, still encoded), most
/// likely first.
pub fn files_for_path(path: &str) -> Vec<SitePath> {
    if path.contains('?') {
        return Vec::new();
    }
    let path = decode(path).into_owned();
    let suffixes: &[&str] = if path.is_empty() || path.ends_with(b"/") {
        &INDEX_FILES
    } else {
        &[
            "",
            ".html",
            "/index.html",
            ".htm",
            ".xhtml",
            "/index.htm",
            "/index.xhtml",
        ]
    };
    suffixes
        .iter()
        .map(|suffix| SitePath::new([path.as_slice(), suffix.as_bytes()].concat()))
        .collect()
}

/// Returns the files that a common server could serve for a URL, as [`UrlForm::files_at`].
pub fn candidate_files(base: &BaseUrl, url: &PageUrl) -> Vec<SitePath> {
    UrlForm::default().files_at(base, url)
}

fn without_slash(path: &[u8]) -> &[u8] {
    path.strip_suffix(b"/").unwrap_or(path)
}

/// Whether Vercel takes the last segment for the name of a file: `v1.2`, `node.js`
/// (`convertTrailingSlash` of `@vercel/routing-utils`).
fn ends_as_file(path: &[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let dot = name.iter().rposition(|&byte| byte == b'.');
    dot.is_some_and(|dot| {
        let ending = &name[dot + 1..];
        dot > 0
            && !ending.is_empty()
            && ending
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STYLES: [UrlStyle; 7] = [
        UrlStyle::Exact,
        UrlStyle::Keep,
        UrlStyle::KeepSlashed,
        UrlStyle::KeepSlashless,
        UrlStyle::Clean,
        UrlStyle::CleanSlashless,
        UrlStyle::CleanSlashed,
    ];

    proptest! {
        #[test]
        fn the_url_of_a_file_maps_back_to_that_file_only(
            parts in prop::collection::vec("[^/\u{0}]{1,12}", 1..4)
                .prop_filter("no dot segments", |parts| {
                    parts.iter().all(|part| !matches!(part.as_str(), "." | ".."))
                }),
            other in "[^/\u{0}]{1,12}\\.html",
        ) {
            let base = BaseUrl::parse("https://example.com/docs/").expect("a valid base URL");
            let file = SitePath::from((parts.join("/") + ".html").as_str());
            let url = UrlForm::default().url_of(&base, &file);
            prop_assert!(serves(&base, &file, &url));
            prop_assert_eq!(url.resolve(url.as_str()), Some(url.clone()));
            let path = base.path_below(&url).expect("the URL is below the base");
            prop_assert!(files_for_path(path).contains(&file));
            let other = SitePath::from(other.as_str());
            prop_assert_eq!(UrlForm::default().url_of(&base, &other) == url, other == file);
        }

        #[test]
        fn every_served_url_lists_the_file_among_its_candidates(
            file in "([ab]/)?(a|b|index)\\.(html|htm|xhtml|HTML)",
            path in "([ab]/)?(a|b|index)?(\\.html|\\.htm|/)?",
        ) {
            let base = BaseUrl::parse("https://example.com/docs/").expect("a valid base URL");
            let (file, url) = (SitePath::from(file.as_str()), base.path_url(path.as_bytes()));
            let is_candidate = candidate_files(&base, &url).contains(&file);
            prop_assert!(!serves(&base, &file, &url) || is_candidate);
        }

        #[test]
        fn files_with_shared_memory_have_the_same_urls(
            names in prop::collection::vec("([a-c%é]{1,3}/){0,2}([a-c é]{1,3}|index).html?", 1..9)
        ) {
            let base = BaseUrl::parse("https://example.com/docs/").expect("a valid base URL");
            let alone: Vec<SitePath> = names
                .iter()
                .map(|name| SitePath::from(name.as_str()))
                .collect();
            let mut together = alone.clone();
            base.move_together(together.iter_mut());
            prop_assert_eq!(&together, &alone);
            for (together, alone) in together.iter().zip(&alone) {
                for style in STYLES {
                    let form = UrlForm { style, ..UrlForm::default() };
                    prop_assert_eq!(form.url_of(&base, together), form.url_of(&base, alone));
                }
            }
        }
    }

    const SERVERS: [HostServer; 8] = [
        HostServer::Plain,
        HostServer::Netlify,
        HostServer::CloudflarePages,
        HostServer::CloudflareWorkers,
        HostServer::Vercel,
        HostServer::Firebase,
        HostServer::GithubPages,
        HostServer::GitlabPages,
    ];

    proptest! {
        #[test]
        fn every_host_answers_its_url_of_a_file_with_that_file(
            file in "([a-z@+,.%é '?#]{1,6}/){0,2}([a-z@+,.%é ]{1,6}|index|404)\\.(html|htm|HTML)",
        ) {
            let base = BaseUrl::parse("https://example.com/docs/").expect("a valid base URL");
            let file = SitePath::from(file.as_str());
            for server in SERVERS {
                for style in STYLES {
                    let form = UrlForm { style, server };
                    let url = form.url_of(&base, &file);
                    prop_assert!(form.answers(&base, &file, &url), "{} {:?}", url, form);
                    prop_assert!(form.files_at(&base, &url).contains(&file), "{} {:?}", url, form);
                    prop_assert!(serves(&base, &file, &url), "{} {:?}", url, form);
                }
            }
        }
    }

    #[test]
    fn each_host_has_urls_of_its_own() {
        use HostServer::{CloudflarePages, CloudflareWorkers, Firebase, Plain, Vercel};
        use UrlStyle::{Clean, CleanSlashed, CleanSlashless, Exact, Keep, KeepSlashed};
        let base = BaseUrl::parse("https://example.com/").expect("a valid base URL");
        let check = |server, style, file: &str, expected: &str| {
            let url = UrlForm { style, server }.url_of(&base, &SitePath::from(file));
            assert_eq!(
                url.path_and_query(),
                expected,
                "{file} on {server:?}, {style:?}"
            );
        };
        check(CloudflarePages, Clean, "tags/c++/index.html", "/tags/c++/");
        check(
            CloudflareWorkers,
            Clean,
            "tags/c++/index.html",
            "/tags/c%2B%2B/",
        );
        check(CloudflareWorkers, Clean, "a b!'()*.html", "/a%20b!'()*");
        check(CloudflareWorkers, CleanSlashed, "@user.html", "/%40user/");
        check(CloudflareWorkers, CleanSlashless, "x/index.html", "/x");
        check(CloudflareWorkers, Exact, "x/index.html", "/x/index.html");
        check(CloudflarePages, Clean, "x/index.htm", "/x/index.htm");
        check(Plain, Keep, "x/index.htm", "/x/");
        check(Vercel, KeepSlashed, "v1.2/index.html", "/v1.2");
        check(Vercel, KeepSlashed, "v1.2-rc/index.html", "/v1.2-rc/");
        check(Vercel, CleanSlashed, "v1.2.html", "/v1.2");
        check(Vercel, CleanSlashed, "about.html", "/about/");
        check(Firebase, CleanSlashed, "v1.2.html", "/v1.2/");
    }

    #[test]
    fn a_file_is_served_at_every_url_form_of_static_hosts() {
        let base = BaseUrl::parse("https://example.com/docs/").expect("a valid base URL");
        let check = |file: &str, path: &str, expected: bool| {
            let url = base.resolve(path).expect("a valid URL");
            assert_eq!(
                serves(&base, &SitePath::from(file), &url),
                expected,
                "{file} at {path}"
            );
        };
        check("about.html", "about", true);
        check("about.html", "about/", true);
        check("about.html", "about.html", true);
        check("about.html", "About.html", false);
        check("ABOUT.HTML", "ABOUT", false);
        check("about.html", "about.html?v=2", false);
        check("about.html", "/about.html", false);
        check("a/index.html", "a/", true);
        check("a/index.html", "a", true);
        check("a/index.html", "a/index.html", true);
        check("a/index.html", "a/index", false);
        check("index.html", "./", true);
        check("index.html", "/docs", true);
        check("caf\u{e9}.html", "caf%C3%A9.html", true);
    }
}
