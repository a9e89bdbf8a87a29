//! All finding codes, with their names, default levels and user documentation.

use super::Level;

/// A kind of finding.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable name, used in `[levels]` and in the output.
    pub name: &'static str,
    /// The default level, which `[levels]` can override.
    pub level: Level,
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
    ($($(#[doc = $line:literal])+ $constant:ident = $name:literal, $level:ident;)+) => {
        $($(#[doc = $line])+ pub const $constant: &Code =
            &Code { name: $name, level: Level::$level, about: concat!($($line, "\n"),+) };)+

        /// All codes in documented order.
        pub const ALL: &[&Code] = &[$($constant),+];
    };
}

codes! {
    /// The canonical link points to a page that the build did not write, so neither page is listed.
    CANONICAL_MISSING_PAGE = "canonical-missing-page", Warn;
    /// The canonical link points to a page that cannot be listed (noindex, a redirect, …), so
    /// neither page is listed.
    CANONICAL_NOT_LISTED = "canonical-not-listed", Warn;
    /// The canonical link points to a page with a canonical link to a third page (RFC 6596 advises
    /// against chains). Only the end of the chain is listed, and nothing of a loop.
    CANONICAL_CHAIN = "canonical-chain", Warn;
    /// The canonical link differs from the page's own URL only in `http:` or `https:`, usually
    /// because the base URL is wrong.
    CANONICAL_OTHER_SCHEME = "canonical-other-scheme", Warn;
    /// More than half of the pages have the home page as canonical link, usually because a template
    /// has the URL of the site where the URL of the page belongs. They are excluded.
    CANONICAL_HOME = "canonical-home", Warn;
    /// A page has canonical links to different pages. Search engines ignore all of them, and so
    /// does waypost.
    CANONICAL_CONFLICT = "canonical-conflict", Warn;
    /// A canonical link is in the body, where search engines ignore it. An earlier element may have
    /// ended the head.
    CANONICAL_IN_BODY = "canonical-in-body", Warn;
    /// The canonical link has a fragment (`#…`), which is never sent to the server.
    CANONICAL_FRAGMENT = "canonical-fragment", Warn;
    /// The canonical link is not an http or https URL, so it is ignored.
    CANONICAL_INVALID = "canonical-invalid", Warn;
    /// `<meta property="robots">` is not a robots tag. Use the `name` attribute.
    ROBOTS_PROPERTY = "robots-property", Warn;
    /// `<meta http-equiv="X-Robots-Tag">` has no effect, because X-Robots-Tag is an HTTP header.
    ROBOTS_HTTP_EQUIV = "robots-http-equiv", Warn;
    /// A robots tag contains a rule that looks like a misspelt `noindex` or `none`. Search engines
    /// ignore it.
    ROBOTS_UNKNOWN_RULE = "robots-unknown-rule", Warn;
    /// A robots tag is in `<noscript>`, which search engines that run scripts do not read, so it is
    /// ignored.
    ROBOTS_IN_NOSCRIPT = "robots-in-noscript", Warn;
    /// The target of an hreflang link, of a page or of a sitemap entry, does not link back. Search
    /// engines ignore the link, so it is not written. Links to excluded pages are dropped silently.
    HREFLANG_NOT_RETURNED = "hreflang-not-returned", Warn;
    /// An hreflang code does not have the documented form (`de`, `pt-BR`, `zh-Hant-TW`,
    /// `x-default`).
    HREFLANG_CODE = "hreflang-code", Warn;
    /// A sitemap entry lists language versions but not its own, so search engines may ignore all of
    /// them. Found by `waypost check`.
    HREFLANG_WITHOUT_SELF = "hreflang-without-self", Warn;
    /// An hreflang link is in the body, where search engines ignore it.
    HREFLANG_IN_BODY = "hreflang-in-body", Warn;
    /// A page has more than 1,000 images, the limit for a sitemap entry.
    TOO_MANY_IMAGES = "too-many-images", Warn;
    /// A page names an image or a video of this site, or a video's thumbnail or player, that the
    /// build did not write. The sitemap omits it.
    MEDIA_MISSING = "media-missing", Warn;
    /// A page is too large or too deeply nested to be read completely. waypost uses the part it has
    /// read.
    PAGE_READ_IN_PART = "page-read-in-part", Warn;
    /// A file with the extension of a page is empty.
    EMPTY_PAGE = "empty-page", Warn;
    /// A listed page lists nothing: it is that of a taxonomy without terms, which Hugo and Zola write
    /// nevertheless.
    EMPTY_LIST = "empty-list", Warn;
    /// A file name is not UTF-8. Its bytes are percent-encoded in the URL, which some hosts cannot
    /// serve.
    NAME_NOT_UTF8 = "name-not-utf8", Warn;
    /// A symbolic link is not followed, because it is broken, is a cycle, points outside the output
    /// directory (for a sitemap or a feed: outside the site and its repository), or points from a
    /// linked directory to another that may contain pages.
    BAD_SYMLINK = "bad-symlink", Warn;
    /// An entry of the output directory is neither a file nor a directory, or cannot be opened.
    NOT_A_FILE = "not-a-file", Warn;
    /// A directory cannot be listed, so the pages below it are missing from the sitemap.
    UNREADABLE_FOLDER = "unreadable-folder", Deny;
    /// Two files have the same URL. The file whose own name matches the URL is listed.
    ADDRESS_TAKEN_TWICE = "address-taken-twice", Warn;
    /// A rule matches no page. Its pattern may be misspelt, or the pages no longer exist.
    UNUSED_RULE = "unused-rule", Warn;
    /// A content file, its front matter or a content directory cannot be read, so the page made
    /// from it has no source.
    CONTENT_UNREADABLE = "content-unreadable", Warn;
    /// A YAML file, front matter or the generator's settings, sets a key more than once. The last
    /// value counts, as in most generators.
    REPEATED_KEY = "repeated-key", Warn;
    /// The output has a page whose source is a draft, expired or not yet published, so the output
    /// directory may contain an earlier or a preview build. `drafts` decides about such pages.
    DRAFT_BUILT = "draft-built", Warn;
    /// The output has a page whose source was deleted, as Git shows, and that no other page links to.
    /// The generator did not remove it when it built the site again. `drafts` decides about such
    /// pages.
    SOURCE_GONE = "source-gone", Warn;
    /// This build is a preview: of a pull request, or of a branch that is not a production branch.
    /// Nothing is written, and `check` has nothing to compare. `production_branches` names the
    /// branches that are production.
    PREVIEW_SKIPPED = "preview-skipped", Allow;
    /// The file with the event that started this build (`GITHUB_EVENT_PATH`) cannot be read, so the
    /// variables of the pipeline decide alone whether it is a preview.
    EVENT_UNREADABLE = "event-unreadable", Warn;
    /// A setting in a page's front matter (priority, changefreq, lastmod, exclude) is misspelt or
    /// out of range.
    PAGE_SETTING_WRONG = "page-setting-wrong", Warn;
    /// A source named by a rule, a page or a source map does not exist.
    SOURCE_MISSING = "source-missing", Warn;
    /// Two methods find different source files for a page. waypost uses the more reliable one,
    /// which is named first.
    SOURCE_DISAGREEMENT = "source-disagreement", Warn;
    /// A source map does not list any page of this site. It may belong to another site or base URL.
    SOURCE_MAP_UNUSED = "source-map-unused", Warn;
    /// A source file has uncommitted changes, so the page gets no Git date.
    SOURCE_DIRTY = "source-dirty", Warn;
    /// A source file is not in the repository, so the page gets no Git date. Files that Git ignores
    /// are reported once for all pages: the build creates or copies them.
    SOURCE_UNTRACKED = "source-untracked", Warn;
    /// The clone is shallow, so pages whose last change is older than its boundary get no Git date.
    HISTORY_SHALLOW = "history-shallow", Warn;
    /// The repository lacks objects (a partial clone), is damaged or has an unknown format, so pages
    /// get no Git dates, or dates of changes that the settings ignore.
    HISTORY_INCOMPLETE = "history-incomplete", Warn;
    /// The file of `lastmod.memory` has dates of other settings, so none of them counts.
    MEMORY_OUTDATED = "memory-outdated", Warn;
    /// A commit to ignore is not in the repository.
    REVISION_UNKNOWN = "revision-unknown", Warn;
    /// A pattern of `lastmod.ignore_authors`, `lastmod.ignore_messages` or `lastmod.ignore_trailer`
    /// matches more than half of the commits that changed a source, so most pages keep old dates.
    PATTERN_BROAD = "pattern-broad", Warn;
    /// Sources were merged more than a day after the commit that dates them, so a crawler that came
    /// in between does not see the new date. Use `lastmod.date = "landed"`.
    LANDED_LATER = "landed-later", Allow;
    /// The pages are the committed output of a generator, and each commit changes nearly all of them,
    /// so commits do not date them.
    DEPLOY_COMMITS = "deploy-commits", Warn;
    /// The site is not in a Git repository, so pages get no Git dates.
    HISTORY_MISSING = "history-missing", Allow;
    /// A date is in the future, zero, or not representable in a sitemap, so it is omitted.
    LASTMOD_FALSE = "lastmod-false", Warn;
    /// A date in a page, its front matter or a sitemap to be merged cannot be parsed, or is ambiguous.
    LASTMOD_UNREADABLE = "lastmod-unreadable", Warn;
    /// robots.txt could not be updated, because it is UTF-16 or HTML, or cannot be read.
    ROBOTS_TXT_REFUSED = "robots-txt-refused", Warn;
    /// robots.txt is larger than the 500 KiB that crawlers must read (RFC 9309 section 2.5), so the
    /// line is added at its top.
    ROBOTS_TXT_TOO_LARGE = "robots-txt-too-large", Warn;
    /// A `Sitemap:` line of robots.txt is not an absolute URL, so it is ignored.
    ROBOTS_TXT_RELATIVE_SITEMAP = "robots-txt-relative-sitemap", Warn;
    /// A field of robots.txt is misspelt, or its colon is missing. Google accepts the line, and so does
    /// waypost for rules, but other crawlers may ignore it.
    ROBOTS_TXT_TYPO = "robots-txt-typo", Warn;
    /// The site is not served at the root of its host, so it has no robots.txt of its own. Add the
    /// line to the host's robots.txt.
    ROBOTS_TXT_ELSEWHERE = "robots-txt-elsewhere", Allow;
    /// A line of `_headers`, `_redirects`, `netlify.toml`, `vercel.json`, `firebase.json` or
    /// `render.yaml` cannot be parsed, so it is ignored, or a file of the host is not read (`vercel.ts`,
    /// `customHttp.yml`).
    SERVING_UNREADABLE = "serving-unreadable", Warn;
    /// A strict parser cannot read a feed completely, so robots.txt should not list it. Fix the
    /// program that writes it.
    FEED_BROKEN = "feed-broken", Warn;
    /// A feed is Atom 0.3, a draft of 2003 that Google does not support. robots.txt lists it
    /// nevertheless.
    FEED_OUTDATED = "feed-outdated", Warn;
    /// The site has more feeds than robots.txt lists. Those closest to the top of the site are
    /// listed.
    TOO_MANY_FEEDS = "too-many-feeds", Allow;
    /// Pages without a date are missing from the Atom feed, which requires a date for every entry.
    /// RSS lists them.
    FEED_LACKS_PAGES = "feed-lacks-pages", Warn;
    /// A page that a rule marks as news has no title or no readable publication date, so the news
    /// sitemap does not list it.
    NEWS_INCOMPLETE = "news-incomplete", Warn;
    /// A page does not state what a sitemap requires for a video: title, description, thumbnail,
    /// and a file or player URL.
    VIDEO_INCOMPLETE = "video-incomplete", Warn;
    /// More than half of the pages name another base URL in their canonical links, or the base URL
    /// lacks the path in the generator's settings. The site was built for another URL, or the base
    /// URL is wrong. Nothing is written.
    BASE_URL_CONTRADICTED = "base-url-contradicted", Deny;
    /// The only base URL found is the placeholder of a template (`example.com`, `your-site.com`) or
    /// the URL of a local server. Nothing is written.
    BASE_URL_PLACEHOLDER = "base-url-placeholder", Deny;
    /// Two places name different base URLs, for example the canonical links and `CNAME`. waypost
    /// uses the more reliable one, which is named first.
    BASE_URL_DISAGREEMENT = "base-url-disagreement", Warn;
    /// Two places name different forms of URLs (`/about`, `/about.html`, `/about/`) for pages
    /// without a canonical link, for example the sitemap that the generator wrote and the pages'
    /// links. waypost uses the more reliable one. Set `host` or `url_style`.
    URL_FORM_DISAGREEMENT = "url-form-disagreement", Warn;
    /// No page can be listed. Nothing is written, and an existing sitemap is kept.
    NOTHING_LISTED = "nothing-listed", Deny;
    /// Most URLs of the sitemap that waypost wrote last are not in the new one
    /// (`guard.max_dropped`). Nothing is written.
    SET_SHRUNK = "set-shrunk", Deny;
    /// Most pages with a date in the sitemap that waypost wrote last have none now
    /// (`guard.max_undated`). Nothing is written.
    DATES_LOST = "dates-lost", Deny;
    /// Settings were not read: waypost's own in another directory, table or file than the right
    /// one, or the settings of a generator that cannot be read.
    SETTINGS_PASSED_OVER = "settings-passed-over", Warn;
    /// An earlier or the generator's own sitemap contradicted the new one and was removed.
    STALE_FILE_REMOVED = "stale-file-removed", Allow;
    /// Readers find a sitemap next to this set that waypost neither writes nor removes, because
    /// another program may have written it: robots.txt names it or it has a well-known name, and it
    /// lists pages of this site. Disable that program's sitemap, or remove the file and its line.
    STALE_FILE_LEFT = "stale-file-left", Warn;
    /// The IndexNow key file would overwrite another file, so it is not written.
    KEY_FILE_TAKEN = "key-file-taken", Warn;
    /// Changed URLs are on another host than the site, or not below the directory of the key file,
    /// so IndexNow does not accept them with this key.
    SUBMIT_NOT_COVERED = "submit-not-covered", Warn;
    /// The entry of a single page is larger than `sitemap.max_bytes`, so its sitemap exceeds the
    /// limit.
    SITEMAP_OVER_LIMIT = "sitemap-over-limit", Warn;
    /// The output directory, or the server, has no sitemap to check. Run `waypost` as the last step of
    /// the build.
    SITEMAP_MISSING = "sitemap-missing", Deny;
    /// A sitemap cannot be read completely because it is damaged or does not end, so readers lose
    /// the rest. Build it again.
    SITEMAP_UNREADABLE = "sitemap-unreadable", Deny;
    /// A sitemap is not well-formed XML from its first byte on. Some readers repair it, others lose
    /// all of it. The place is where a strict parser stops.
    SITEMAP_MALFORMED = "sitemap-malformed", Deny;
    /// A sitemap is not UTF-8, as the protocol requires, and most readers lose all of it.
    SITEMAP_ENCODING = "sitemap-encoding", Deny;
    /// The elements of a sitemap are not in the order of its schema: in an entry `loc`, `lastmod`,
    /// `changefreq`, `priority`, then elements of other namespaces.
    SITEMAP_ORDER = "sitemap-order", Deny;
    /// The root element of a sitemap is not in the protocol's namespace, so validators reject the
    /// file.
    SITEMAP_NAMESPACE = "sitemap-namespace", Deny;
    /// A sitemap is not valid by the schemas of the protocol and of images, videos, news and language
    /// links: an element, an attribute or text that they do not have, one that is missing or
    /// repeated, or a value that they do not allow.
    SITEMAP_SCHEMA = "sitemap-schema", Deny;
    /// An entry has no URL, or several. Readers skip it or stop there.
    SITEMAP_ENTRY = "sitemap-entry", Deny;
    /// A sitemap exceeds the protocol's limit of 50,000 entries or 50 MiB, so search engines reject
    /// it. Split it.
    SITEMAP_LIMITS = "sitemap-limits", Deny;
    /// A sitemap does not list any URL.
    SITEMAP_EMPTY = "sitemap-empty", Warn;
    /// An index lists another index, which the protocol does not allow and readers do not follow.
    SITEMAP_NESTED_INDEX = "sitemap-nested-index", Deny;
    /// An index lists a sitemap that the build did not write, or that the server does not have.
    SITEMAP_CHILD_MISSING = "sitemap-child-missing", Deny;
    /// An index lists a sitemap on another host, scheme or port, which search engines accept only
    /// from verified owners.
    SITEMAP_ELSEWHERE = "sitemap-elsewhere", Warn;
    /// A sitemap and its compressed copy differ, so some readers see an outdated site.
    SITEMAP_TWIN = "sitemap-twin", Warn;
    /// A sitemap contains URLs outside its own directory, which the protocol does not allow
    /// (sitemaps.org, "Sitemap file location") unless robots.txt names the sitemap or its index. In
    /// an index, usually the sitemap is served at another URL than the index would list.
    SITEMAP_FOLDER = "sitemap-folder", Warn;
    /// A priority or changefreq of a sitemap to be merged is invalid, or an image or language link
    /// cannot be read, or an entry has data that is not merged (news, videos, feeds). The merged set
    /// omits it.
    SITEMAP_VALUE = "sitemap-value", Warn;
    /// A sitemap to be listed in an index is on another host, scheme or port. Search engines accept
    /// it only if the owner has verified both. `waypost index --other-hosts` allows it.
    INDEX_OTHER_HOST = "index-other-host", Deny;
    /// The sitemap lacks pages that it should list, because it is older than the build or its
    /// writer missed them. `waypost` adds them.
    SITEMAP_LACKS_PAGES = "sitemap-lacks-pages", Warn;
    /// A date in the sitemap is not that of the page's last change. Dates are compared as instants; a
    /// day includes all of it, in the commit's zone or in UTC. Search engines stop using dates that
    /// are often wrong.
    SITEMAP_DATES_DIFFER = "sitemap-dates-differ", Warn;
    /// A `<loc>` is not an absolute http or https URL.
    LOC_INVALID = "loc-invalid", Deny;
    /// A `<loc>` has 2,048 characters or more, which the protocol does not allow.
    LOC_TOO_LONG = "loc-too-long", Deny;
    /// A `<loc>` is on another host, scheme or port than the site, or outside its base path. Search
    /// engines ignore such entries.
    LOC_ELSEWHERE = "loc-elsewhere", Deny;
    /// A `<loc>` is not encoded as RFC 3986 requires (raw spaces or letters, a fragment, upper case
    /// in the host), so readers disagree on what it identifies. Encode it.
    LOC_SPELLING = "loc-spelling", Warn;
    /// A `<loc>` has another form than the page's own URL (slash, `.html`, index file), so two URLs
    /// compete.
    LOC_OTHER_FORM = "loc-other-form", Warn;
    /// A URL is listed twice in a sitemap, or in two sitemaps of an index.
    LOC_TWICE = "loc-twice", Warn;
    /// A `<loc>` does not match any file that the build wrote, so visitors and search engines get
    /// an error page.
    LOC_WITHOUT_FILE = "loc-without-file", Deny;
    /// A listed page has noindex, which contradicts the sitemap.
    LOC_NOINDEX = "loc-noindex", Deny;
    /// A listed page is a redirect. List its target.
    LOC_REDIRECT = "loc-redirect", Deny;
    /// A listed page has another page as its canonical. List that page.
    LOC_CANONICAL_ELSEWHERE = "loc-canonical-elsewhere", Deny;
    /// robots.txt disallows a listed page for all crawlers of `robots_txt.agents`, so they cannot fetch
    /// it.
    LOC_DISALLOWED = "loc-disallowed", Deny;
    /// waypost would exclude a listed page for another reason: an error page, an excluded page, or
    /// not a page.
    LOC_LEFT_OUT = "loc-left-out", Warn;
    /// A `<loc>` is a file that is not a page according to `extensions` (a feed, a PDF).
    LOC_NO_PAGE = "loc-no-page", Warn;
    /// A `<lastmod>` is not a date in the protocol's format (W3C Datetime: `2024-05-06`,
    /// `2024-05-06T07:08:09+02:00`).
    LASTMOD_INVALID = "lastmod-invalid", Deny;
    /// A `<lastmod>` is in the future.
    LASTMOD_FUTURE = "lastmod-future", Warn;
    /// All dates of the sitemap are the time of the build, because its writer does not know the
    /// pages' last changes. Search engines learn to ignore such dates.
    LASTMOD_BUILD_DATE = "lastmod-build-date", Warn;
    /// All dates of the sitemap are equal, although the pages did not change together. Search
    /// engines distrust such dates.
    LASTMOD_ALL_EQUAL = "lastmod-all-equal", Warn;
    /// robots.txt does not list a sitemap of this site, so search engines find it only if you
    /// submit it. `waypost` adds the line, or reports an index that lacks one if `robots_txt.update` is off.
    ROBOTS_TXT_NO_SITEMAP = "robots-txt-no-sitemap", Warn;
    /// robots.txt lists a sitemap that the build did not write, or that the server does not have.
    ROBOTS_TXT_SITEMAP_MISSING = "robots-txt-sitemap-missing", Deny;
    /// robots.txt disallows the sitemap itself for all crawlers of `robots_txt.agents`, so they do not
    /// read it.
    ROBOTS_TXT_DISALLOWS_SITEMAP = "robots-txt-disallows-sitemap", Deny;
    /// The server answers a listed URL with another status than 200, so search engines drop it. Found by
    /// `waypost check --live`, as are the codes from here to `live-outdated`.
    LIVE_STATUS = "live-status", Deny;
    /// The server answers a listed URL, or a URL that cannot exist, with the page for URLs that do not
    /// exist, but with the status 200 or a redirect. Search engines call this a soft 404.
    LIVE_SOFT_404 = "live-soft-404", Warn;
    /// The server declares that a listed page is not HTML, or declares nothing.
    LIVE_CONTENT_TYPE = "live-content-type", Warn;
    /// A listed page is larger than the 15 MiB that were read.
    LIVE_TOO_LARGE = "live-too-large", Warn;
    /// A listed page took longer than 5 seconds, so crawlers fetch fewer pages of the site.
    LIVE_SLOW = "live-slow", Warn;
    /// A URL is not answered: no connection, no complete response in time, an untrusted certificate or
    /// an unknown host. Nothing is known about the page.
    LIVE_NOT_ANSWERED = "live-not-answered", Warn;
    /// A limit was reached before everything was requested: of requests, of time, or because the server
    /// asks for a pause.
    LIVE_STOPPED = "live-stopped", Warn;
    /// The published sitemap is not the one on disk, even after the time of `--wait`.
    LIVE_OUTDATED = "live-outdated", Deny;
    /// A page's `<link rel=alternate>` points to an RSS, Atom or JSON feed that the build did not
    /// write.
    FEED_MISSING = "feed-missing", Warn;
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
