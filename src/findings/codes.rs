//! All finding codes, with their names, default levels and user documentation.

use super::Level;

/// A kind of finding.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable name, used in `[levels]` and in the output.
    pub name: &'static str,
    /// The default level, which `[levels]` can override.
    pub level: Level,
    /// The page of the documentation that describes it, below `findings/`.
    pub page: &'static str,
    /// The meaning and the remedy, in Markdown.
    pub about: &'static str,
}

impl Code {
    /// The meaning and the remedy on one line.
    pub fn description(&self) -> String {
        self.about.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

macro_rules! codes {
    ($($page:literal {
        $($(#[doc = $line:literal])+ $constant:ident = $name:literal, $level:ident;)+
    })+) => {
        $($($(#[doc = $line])+ pub const $constant: &Code = &Code {
            name: $name,
            level: Level::$level,
            page: $page,
            about: concat!($($line, "\n"),+),
        };)+)+

        /// All codes in documented order.
        pub const ALL: &[&Code] = &[$($($constant),+),+];
    };
}

/// [`HOST_UNKNOWN`] where only the form of URLs depends on the host.
pub const HOST_UNKNOWN_NOTE: &Code = &Code {
    level: Level::Note,
    ..*HOST_UNKNOWN
};

/// [`LOC_ELSEWHERE`] where search engines may accept the other host.
pub const LOC_ELSEWHERE_WARNING: &Code = &Code {
    level: Level::Warn,
    ..*LOC_ELSEWHERE
};

/// [`URLS_LOST`] in a preview that says nothing of production.
pub const URLS_LOST_NOTE: &Code = &Code {
    level: Level::Note,
    ..*URLS_LOST
};

/// [`SITEMAP_INVALID`] where the text of the protocol allows what its schema does not.
pub const SITEMAP_INVALID_NOTE: &Code = &Code {
    level: Level::Note,
    ..*SITEMAP_INVALID
};

codes! {
    "pages" {
        /// The canonical link leads to a page that is not listed: the build did not write it, it is
        /// excluded (noindex, a redirect, …), or it names a third page (RFC 6596 advises against
        /// chains). Neither page is listed; of a chain, only the last page is. Or the page redirects to
        /// one that the build did not write.
        CANONICAL_NOT_LISTED = "canonical-not-listed", Warn;
        /// Search engines ignore a canonical link, and so does waypost: the page names several pages,
        /// the link is in the body, it is not an http or https URL, or the host redirects it to another
        /// form of the page's URL, which is listed; or they ignore its fragment (`#…`). Or a canonical or
        /// language link has two slashes where one belongs, which count as one.
        CANONICAL_IGNORED = "canonical-ignored", Warn;
        /// The canonical link differs from the page's own URL only in `http:` or `https:`, usually
        /// because the base URL is wrong.
        CANONICAL_OTHER_SCHEME = "canonical-other-scheme", Warn;
        /// More than half of the pages have the home page as canonical link, usually because a
        /// template has the URL of the site where the URL of the page belongs. They are excluded.
        CANONICAL_HOME = "canonical-home", Warn;
        /// A tag that was meant to keep a page out of search engines has no effect: it has `property`
        /// or `http-equiv` where `name` belongs, it is in `<noscript>`, or a rule of it is misspelt.
        ROBOTS_TAG_IGNORED = "robots-tag-ignored", Warn;
        /// Search engines ignore a language link of a page or a sitemap: its target is not a page or does
        /// not link back, its code does not have the documented form (`de`, `pt-BR`, `zh-Hant-TW`,
        /// `x-default`), it is in the body, or the entry does not list its own language. A link that
        /// is not returned is not written.
        HREFLANG_IGNORED = "hreflang-ignored", Warn;
        /// The sitemap omits images that the one it replaces has: the build did not write them. Or readers
        /// omit images of a sitemap: those over 1,000 in an entry, and those whose URL is not absolute.
        IMAGE_OMITTED = "image-omitted", Warn;
        /// A page is judged by the part that could be read, because it is very large or deeply
        /// nested; or it is empty, or what Zola writes in place of a missing template; or its name is not
        /// UTF-8, which some hosts cannot serve.
        PAGE_DOUBTFUL = "page-doubtful", Warn;
        /// An entry of the output directory is skipped: a symbolic link that is broken, in a circle,
        /// or leads outside the output directory (for a sitemap or a feed: outside the site and its
        /// repository), or something that is neither a file nor a directory, or a file that cannot be
        /// opened.
        FILE_SKIPPED = "file-skipped", Warn;
        /// Two files have the same URL. The file whose own name matches the URL is listed.
        URL_TAKEN_TWICE = "url-taken-twice", Warn;
    }
    "sources" {
        /// A content file, its front matter or a content directory cannot be read, so the page made
        /// from it has no source.
        SOURCE_UNREADABLE = "source-unreadable", Warn;
        /// A source named by a rule, a page or a source map does not exist.
        SOURCE_MISSING = "source-missing", Warn;
        /// Source maps name two source files for a page, so neither is used.
        SOURCE_DISAGREEMENT = "source-disagreement", Warn;
        /// A source file has uncommitted changes or is not in the repository, so the page gets no Git
        /// date.
        SOURCE_UNCOMMITTED = "source-uncommitted", Warn;
        /// The output has a page whose source is a draft, so the output directory may contain an
        /// earlier or a preview build. `drafts` decides about such pages.
        DRAFT_BUILT = "draft-built", Warn;
    }
    "dates" {
        /// The clone is shallow, so pages whose last change is older than its boundary get no Git
        /// date.
        HISTORY_SHALLOW = "history-shallow", Warn;
        /// The repository lacks objects (a partial clone) or has an unknown format, so pages get no Git
        /// dates, or dates of changes that the settings ignore.
        HISTORY_INCOMPLETE = "history-incomplete", Warn;
        /// Less than half of the pages that could have a date have one, and no other finding says why.
        DATES_MISSING = "dates-missing", Warn;
        /// The pages are the committed output of a generator, and each commit changes nearly all of
        /// them, so commits do not date them.
        DEPLOY_COMMITS = "deploy-commits", Warn;
        /// The front matter of pages states a modification date that is more than 30 days older than
        /// Git's, which counts by default.
        STATED_DATES_OLDER = "stated-dates-older", Note;
        /// The texts of more than half of the pages without a source, ten at least, changed since the
        /// last build, or the memory of contents does not know more than half of the pages: it gives
        /// these pages no date.
        MEMORY_RESTLESS = "memory-restless", Warn;
        /// A commit dates more than a fifth of the pages, ten at least, and changed only front matter or
        /// white space in them, or in HTML sources nothing of the main text; or the clone lacks the
        /// contents to tell.
        BULK_COMMIT = "bulk-commit", Note;
        /// A date in a page, its front matter or Git is in the future, zero, ambiguous, or cannot be
        /// parsed or written, so it is omitted.
        LASTMOD_OMITTED = "lastmod-omitted", Warn;
    }
    "settings" {
        /// A setting does not count: it is in another directory, table or file than the right one, it
        /// is misspelt or out of range in the front matter of a page, or the settings of the generator
        /// cannot be read.
        SETTINGS_IGNORED = "settings-ignored", Warn;
        /// A setting has no effect: a rule matches no page, a commit to ignore is not in the
        /// repository, or a source map does not list any page of this site.
        SETTING_UNUSED = "setting-unused", Warn;
        /// This build is a preview: a service reports one, or its branch is not one of
        /// `production_branches`. Nothing is written, and `check` has nothing to compare.
        PREVIEW_SKIPPED = "preview-skipped", Note;
        /// A service names the branch of this build, but not whether it is production, and it is
        /// neither the default branch nor `main` or `master`. The sitemap is written. Set
        /// `production_branches`.
        BRANCH_UNKNOWN = "branch-unknown", Note;
        /// Two places name different base URLs, for example the canonical links and `CNAME`. waypost
        /// uses the more reliable one, which is named first.
        BASE_URL_DISAGREEMENT = "base-url-disagreement", Warn;
        /// Two directories have pages, and different places name them as the output directory: a file of the
        /// host, the pipeline, the generator. waypost uses the one that the running pipeline deploys, or else
        /// the one whose home page is newer.
        OUTPUT_DIR_RIVALS = "output-dir-rivals", Warn;
        /// `netlify.toml`, `vercel.json` or `firebase.json` cannot be parsed; rules of the last two are
        /// not read, because they have more than a path or a wildcard at its end; a rule has a wildcard
        /// after 10,000 others; or a file of the host is not read (`vercel.ts`, `customHttp.yml`,
        /// `staticwebapp.config.json`).
        SERVING_UNREADABLE = "serving-unreadable", Warn;
        /// The output has `_redirects` or `_headers`, but the host is unknown. They are read as by
        /// Netlify; Cloudflare reads them in another way, and redirects `/x.html` to `/x`. It is a note
        /// where only the URLs of `.html` files depend on it. Set `host`.
        HOST_UNKNOWN = "host-unknown", Warn;
        /// The IndexNow key does not work: its file would overwrite another file, or changed URLs are
        /// on another host or not below the directory of the key file.
        SUBMIT_KEY_UNUSABLE = "submit-key-unusable", Warn;
    }
    "refusals" {
        /// More than half of the pages name another base URL in their canonical links, or another path at
        /// the same host is in canonical links, in the generator's own sitemap or its settings, or by a
        /// `CNAME` file in the output directory. The site was built for another URL, or the base URL is
        /// wrong. Nothing is written.
        BASE_URL_CONTRADICTED = "base-url-contradicted", Deny;
        /// The only base URL found is the placeholder of a template (`example.com`, `your-site.com`), the URL of
        /// a local server, or a mistake: `https://undefined/`, the URL of a repository, two URLs in one.
        /// Nothing is written.
        BASE_URL_PLACEHOLDER = "base-url-placeholder", Deny;
        /// All listed pages are in the directory that the path of the base URL names, so their URLs
        /// would have that path twice. Nothing is written.
        BASE_PATH_TWICE = "base-path-twice", Deny;
        /// No page can be listed. Nothing is written, and an existing sitemap is kept.
        NOTHING_LISTED = "nothing-listed", Deny;
        /// More than half of the URLs of the sitemap that waypost wrote last, and more than ten, are
        /// not in the new one; or as many of another program's that the new one replaces, without an
        /// excluded page at them, or all of its language links; or each URL of a set of three to ten is
        /// replaced by another. Nothing is written.
        SET_SHRUNK = "set-shrunk", Deny;
        /// More than half of the pages with a date in the sitemap that waypost wrote last, and more
        /// than ten, have none now. Nothing is written.
        DATES_LOST = "dates-lost", Deny;
        /// A person keeps the sitemap that would be replaced: it is a copy of a source file, or Git
        /// tracks it and it lists URLs, or has data of videos or news, that the new one lacks. Nothing is
        /// written.
        SITEMAP_NOT_OURS = "sitemap-not-ours", Deny;
    }
    "robots-txt" {
        /// robots.txt could not be updated, because it is UTF-16 or HTML, or cannot be read; or it is
        /// larger than the 500 KiB that crawlers must read (RFC 9309 section 2.5), so the line is
        /// added at its top.
        ROBOTS_TXT_REFUSED = "robots-txt-refused", Warn;
        /// Crawlers may ignore a line of robots.txt: a `Sitemap:` that is not an absolute URL, a
        /// misspelt field, or one without a colon.
        ROBOTS_TXT_LINE_IGNORED = "robots-txt-line-ignored", Warn;
        /// robots.txt does not list a sitemap of this site, so search engines find it only if you
        /// submit it. `waypost` adds the line, or reports an index that lacks one if
        /// `robots_txt.update` is off.
        ROBOTS_TXT_NO_SITEMAP = "robots-txt-no-sitemap", Warn;
        /// robots.txt lists a sitemap that crawlers cannot read: the build did not write it, although
        /// another deployment may serve it, robots.txt itself disallows it for all crawlers of
        /// `robots_txt.agents`, or a file of the host redirects its URL.
        ROBOTS_TXT_SITEMAP_UNREADABLE = "robots-txt-sitemap-unreadable", Warn;
        /// A feed cannot be read completely by a strict parser, or is Atom 0.3, a draft of 2003 that
        /// Google does not support.
        FEED_BROKEN = "feed-broken", Warn;
        /// Pages without a date are missing from the Atom feed, which requires a date for every
        /// entry. RSS lists them.
        FEED_LACKS_PAGES = "feed-lacks-pages", Warn;
    }
    "sitemaps" {
        /// There is no sitemap to check, or an index lists one that the build did not write, that the
        /// server does not have, or that is itself an index, which readers do not follow.
        SITEMAP_MISSING = "sitemap-missing", Deny;
        /// A sitemap is not valid by the schemas of the protocol, of images and of language links: it
        /// is not well-formed UTF-8 XML, it ends too early or lists nothing, or an element, an
        /// attribute or a value is missing, repeated, out of order, in another namespace or not
        /// allowed. A `<lastmod>` must be a day or a time with seconds and a zone (`2024-05-06`,
        /// `2024-05-06T07:08:09+02:00`); a year, a month or a time without seconds, which the text of
        /// the protocol allows, is a note.
        /// Readers lose the entry, or the rest of the file.
        SITEMAP_INVALID = "sitemap-invalid", Deny;
        /// A sitemap exceeds the protocol's limit of 50,000 entries or 50 MiB, so search engines
        /// reject it.
        SITEMAP_LIMITS = "sitemap-limits", Deny;
        /// A sitemap is outside the base path of the site, or lists URLs outside its own directory,
        /// which the protocol does not allow (sitemaps.org, "Sitemap file location") unless robots.txt
        /// names it.
        SITEMAP_ELSEWHERE = "sitemap-elsewhere", Warn;
        /// Readers find an outdated sitemap next to this set: another program's that robots.txt names
        /// or that has a well-known name and lists pages of this site or has errors, or a compressed
        /// copy that differs from its file. waypost neither writes nor removes it.
        SITEMAP_STALE = "sitemap-stale", Warn;
        /// The sitemap lacks pages that it should list, because it is older than the build or its
        /// writer missed them. `waypost` adds them.
        SITEMAP_LACKS_PAGES = "sitemap-lacks-pages", Warn;
        /// The sitemap that the new one replaces lists files that are not pages, such as PDFs, or URLs
        /// at which the build wrote no file, or as an index names sitemaps that it did not write. With
        /// `extensions`, files stay listed.
        ENTRIES_LOST = "entries-lost", Warn;
        /// URLs that waypost's previous sitemap, or the one of `--since`, lists are not in the new one,
        /// although there are pages at them: a tag, a header or robots.txt excludes these now. A page that is
        /// gone, that now redirects to a listed one, or that settings or front matter exclude is not lost.
        URLS_LOST = "urls-lost", Warn;
        /// The generator's own sitemap omits single pages whose source is known, perhaps on purpose: a
        /// condition in its template, or a filter. They are listed.
        OWN_SITEMAP_OMITS = "own-sitemap-omits", Warn;
        /// Dates of the sitemap are not those of the pages' last changes: a date differs from Git's
        /// or is in the future. Dates are compared as instants; a day includes all of it, in the
        /// commit's zone or in UTC. Search engines stop using dates that are often wrong.
        LASTMOD_UNTRUE = "lastmod-untrue", Warn;
    }
    "entries" {
        /// A `<loc>` is not an absolute http or https URL as RFC 3986 defines it (a `%` without two
        /// digits, `[` in the path), or has 2,048 characters or more, which the protocol does not
        /// allow.
        LOC_INVALID = "loc-invalid", Deny;
        /// A `<loc>` is on another host, scheme or port than the site, or outside its base path.
        /// Search engines ignore such entries. It is a warning where they may accept the other host: in
        /// a file that is checked alone, so that its URL is unknown, and for a sitemap that an index
        /// names. They do if all hosts are verified by one owner, or if the robots.txt of the other host
        /// names the sitemap (sitemaps.org, "Sitemaps & Cross Submits").
        LOC_ELSEWHERE = "loc-elsewhere", Deny;
        /// A `<loc>` is spelt otherwise than the page's own URL: it is not encoded as RFC 3986
        /// requires (raw spaces or letters, a fragment, upper case in the host), or has another form
        /// (slash, `.html`, index file). So two URLs compete, or readers disagree on what it
        /// identifies.
        LOC_SPELLING = "loc-spelling", Warn;
        /// A URL is listed twice in a sitemap, or in two sitemaps of an index.
        LOC_TWICE = "loc-twice", Warn;
        /// A `<loc>`, or a link of `llms.txt`, does not match any file that the build wrote, so visitors
        /// and search engines get an error page.
        LOC_WITHOUT_FILE = "loc-without-file", Deny;
        /// A page that a sitemap or `llms.txt` lists contradicts it: it has noindex, is a redirect, has
        /// another page as its canonical, or robots.txt disallows it for all crawlers of
        /// `robots_txt.agents`.
        LOC_CONTRADICTED = "loc-contradicted", Deny;
        /// waypost would not list a listed file: it is an error page, an excluded page, or not a page
        /// according to `extensions` (a feed, a PDF).
        LOC_EXCLUDED = "loc-excluded", Warn;
    }
    "live" {
        /// The server answers a listed URL, or a link of `llms.txt`, with another status than 200, so search
        /// engines drop it. Found by `waypost check URL`.
        LIVE_STATUS = "live-status", Deny;
        /// A sitemap or a page could not be read completely, so it is not known to be right: there
        /// was no connection or no complete response in time, the server refused (401, 403, 500, 503)
        /// or redirected to another host, or a limit was reached before everything was requested. The
        /// exit code is 2.
        LIVE_UNCHECKED = "live-unchecked", Warn;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_names_are_unique_and_in_kebab_case() {
        let mut names: Vec<_> = ALL.iter().map(|code| code.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        assert!(names.iter().all(|name| {
            name.bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        }));
    }
}
