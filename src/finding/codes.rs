//! Every finding code: its name in settings and output, its level where none is set, and its documentation for users.

use super::Level;

/// A kind of finding.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable name, as it stands in `[levels]` and in the output.
    pub name: &'static str,
    /// The level where `[levels]` does not name it.
    pub level: Level,
    /// What it means and what to do, in Markdown.
    pub about: &'static str,
}

macro_rules! codes {
    ($($(#[doc = $line:literal])+ $constant:ident = $name:literal, $level:ident;)+) => {
        $($(#[doc = $line])+ pub const $constant: &Code =
            &Code { name: $name, level: Level::$level, about: concat!($($line, "\n"),+) };)+

        /// All of them, in the order in which they are documented.
        pub const ALL: &[&Code] = &[$($constant),+];
    };
}

codes! {
    /// The canonical link names a page that the build did not write, so neither is listed.
    CANONICAL_MISSING_PAGE = "canonical-missing-page", Warn;
    /// The canonical link names a page that cannot be listed itself (noindex, a redirect, …), so neither is listed.
    CANONICAL_NOT_LISTED = "canonical-not-listed", Warn;
    /// The canonical link names a page that names yet another one (RFC 6596 advises against chains); only the end of
    /// the chain is listed, and of a loop nothing.
    CANONICAL_CHAIN = "canonical-chain", Warn;
    /// The canonical link differs from the page's own address only in `http:` or `https:`: usually a wrong base URL.
    CANONICAL_OTHER_SCHEME = "canonical-other-scheme", Warn;
    /// Several canonical links name different pages; search engines then ignore them all, and so does waypost.
    CANONICAL_CONFLICT = "canonical-conflict", Warn;
    /// A canonical link stands in the body, where search engines ignore it; an element that ends the head may stand
    /// before it.
    CANONICAL_IN_BODY = "canonical-in-body", Warn;
    /// The canonical link has a fragment (`#…`), which is not part of what is fetched.
    CANONICAL_FRAGMENT = "canonical-fragment", Warn;
    /// The canonical link is no http or https URL, so it counts as none.
    CANONICAL_INVALID = "canonical-invalid", Warn;
    /// `<meta property="robots">` is no robots tag: only the `name` attribute makes it one.
    ROBOTS_PROPERTY = "robots-property", Warn;
    /// `<meta http-equiv="X-Robots-Tag">` has no effect: that is an HTTP header.
    ROBOTS_HTTP_EQUIV = "robots-http-equiv", Warn;
    /// A robots tag holds a rule that looks like a misspelt `noindex` or `none`, which engines ignore.
    ROBOTS_UNKNOWN_RULE = "robots-unknown-rule", Warn;
    /// The name of a robots tag has blanks round it; it is taken as meant, but engines may not.
    ROBOTS_NAME_BLANKS = "robots-name-blanks", Warn;
    /// A robots tag stands in `<noscript>`, which engines that run scripts do not read; it does not count.
    ROBOTS_IN_NOSCRIPT = "robots-in-noscript", Warn;
    /// An hreflang link, of a page or of a sitemap's entry, is not returned by the page it names, or that page is left out,
    /// so engines ignore it; it is not written.
    HREFLANG_NOT_RETURNED = "hreflang-not-returned", Warn;
    /// An hreflang code is no language code of the documented form (`de`, `pt-BR`, `zh-Hant-TW`, `x-default`).
    HREFLANG_CODE = "hreflang-code", Warn;
    /// An entry of a sitemap names language versions and not itself among them, so engines may ignore all of them. Looked
    /// for by `waypost check`.
    HREFLANG_WITHOUT_SELF = "hreflang-without-self", Warn;
    /// An hreflang link stands in the body, where engines ignore it.
    HREFLANG_IN_BODY = "hreflang-in-body", Warn;
    /// A page has more than the 1,000 images that a sitemap may name for it.
    TOO_MANY_IMAGES = "too-many-images", Warn;
    /// A page is too large or too deeply nested to be read to its end; what was read counts.
    PAGE_READ_IN_PART = "page-read-in-part", Warn;
    /// A file with a page's ending is empty.
    EMPTY_PAGE = "empty-page", Warn;
    /// A file's name is not UTF-8; its address is percent-encoded from the bytes, and some hosts cannot serve it.
    NAME_NOT_UTF8 = "name-not-utf8", Warn;
    /// A symbolic link leads out of the output folder (a sitemap or a feed: out of the site and its repository), back into
    /// itself, nowhere, or on from a linked folder to another that may hold pages; it is not followed.
    BAD_SYMLINK = "bad-symlink", Warn;
    /// Something in the output folder is neither a file nor a folder, or could not be opened.
    NOT_A_FILE = "not-a-file", Warn;
    /// A folder could not be listed, so the pages below it are missing from the sitemap.
    UNREADABLE_FOLDER = "unreadable-folder", Deny;
    /// Two files claim one address; the one whose own name gives it is listed.
    ADDRESS_TAKEN_TWICE = "address-taken-twice", Warn;
    /// A rule matches no page: its pattern may be misspelt, or the pages are gone.
    UNUSED_RULE = "unused-rule", Warn;
    /// A content file or folder, or its front matter, cannot be read; the page made from it has no source.
    CONTENT_UNREADABLE = "content-unreadable", Warn;
    /// What a page's front matter says of its entry (priority, changefreq, lastmod, exclude) is misspelt or out of range.
    PAGE_SETTING_WRONG = "page-setting-wrong", Warn;
    /// A source that a rule, a page or a source map names does not exist.
    SOURCE_MISSING = "source-missing", Warn;
    /// Two ways to find a page's source name different files; the surer one is taken, which is the one named first.
    SOURCE_DISAGREEMENT = "source-disagreement", Warn;
    /// A source map names no page of this site: it may be of another site, or of another base URL.
    SOURCE_MAP_UNUSED = "source-map-unused", Warn;
    /// A source file has changes that are not committed, so its last commit is not the date of what was built.
    SOURCE_DIRTY = "source-dirty", Warn;
    /// A source file is not in the repository, so its history gives no date.
    SOURCE_UNTRACKED = "source-untracked", Warn;
    /// The clone is shallow: history does not date pages whose last change lies beyond its boundary.
    HISTORY_SHALLOW = "history-shallow", Warn;
    /// The repository lacks trees (a treeless clone) or is damaged, so its history gives no dates.
    HISTORY_INCOMPLETE = "history-incomplete", Warn;
    /// A commit that is to be passed over is not in the repository.
    REVISION_UNKNOWN = "revision-unknown", Warn;
    /// There is no git repository round the site, so no page is dated from history.
    HISTORY_MISSING = "history-missing", Allow;
    /// A date lies in the future, is zero, or is none that a sitemap can hold; it is left out.
    LASTMOD_FALSE = "lastmod-false", Warn;
    /// A date in a page or its front matter cannot be read, or not without doubt.
    LASTMOD_UNREADABLE = "lastmod-unreadable", Warn;
    /// robots.txt could not be extended: it is UTF-16, HTML, or cannot be read.
    ROBOTS_TXT_REFUSED = "robots-txt-refused", Warn;
    /// robots.txt is larger than the 500 KiB that are read (RFC 9309 section 2.5), so the line stands at its top.
    ROBOTS_TXT_TOO_LARGE = "robots-txt-too-large", Warn;
    /// A `Sitemap:` line of robots.txt is no full URL, so it is not read.
    ROBOTS_TXT_RELATIVE_SITEMAP = "robots-txt-relative-sitemap", Warn;
    /// The site has no robots.txt of its own, since it is not served at its host's root; the line belongs there.
    ROBOTS_TXT_ELSEWHERE = "robots-txt-elsewhere", Allow;
    /// A line of `_headers`, `_redirects`, `netlify.toml` or `vercel.json` cannot be read, so it does not count.
    SERVING_UNREADABLE = "serving-unreadable", Warn;
    /// A feed cannot be read to its end by a strict reader, so robots.txt should not name it; correct what writes it.
    FEED_BROKEN = "feed-broken", Warn;
    /// A feed is Atom 0.3, a draft of 2003 that Google does not read; robots.txt names it all the same.
    FEED_OUTDATED = "feed-outdated", Warn;
    /// The site has more feeds than robots.txt names; those nearest to the top of the site are named.
    TOO_MANY_FEEDS = "too-many-feeds", Allow;
    /// Pages without a date are missing from the Atom feed, in which every entry has one; RSS lists them.
    FEED_LACKS_PAGES = "feed-lacks-pages", Warn;
    /// A page that a rule takes for news has no title or no date of publication that can be read, so no news sitemap lists it.
    NEWS_INCOMPLETE = "news-incomplete", Warn;
    /// A page does not say of a video what a sitemap must: title, description, thumbnail, and the file or a player.
    VIDEO_INCOMPLETE = "video-incomplete", Warn;
    /// No page is left to list, so no sitemap is written; one that is there already stays.
    NOTHING_LISTED = "nothing-listed", Warn;
    /// Settings in the folder above were not read: waypost's own, or those of a generator that cannot be read.
    SETTINGS_PASSED_OVER = "settings-passed-over", Warn;
    /// An earlier or foreign sitemap contradicts the new one and was removed.
    STALE_FILE_REMOVED = "stale-file-removed", Allow;
    /// robots.txt names a text sitemap that has a name of this set and is not written by this run. It can hold no mark, so
    /// another tool may have made it, and it stays; if an earlier run wrote it, remove it and its line.
    STALE_FILE_LEFT = "stale-file-left", Warn;
    /// The file that proves the key of IndexNow would take the place of another file, so it is not written.
    KEY_FILE_TAKEN = "key-file-taken", Warn;
    /// Addresses that changed are not those of the site's host, or not below the folder of the key's file, so IndexNow takes
    /// no word of them with this key.
    SUBMIT_NOT_COVERED = "submit-not-covered", Warn;
    /// A single page's entry is larger than `sitemap.max_bytes`, so its sitemap is too.
    SITEMAP_OVER_LIMIT = "sitemap-over-limit", Warn;
    /// No sitemap stands in the output folder, so there is nothing to check; run `waypost` as the last step of the build.
    SITEMAP_MISSING = "sitemap-missing", Deny;
    /// A sitemap cannot be read to its end (damaged, endless), so readers lose what stands in the rest; build it again.
    SITEMAP_UNREADABLE = "sitemap-unreadable", Deny;
    /// A sitemap is no well-formed XML from its very first byte on; some readers repair it, others lose all of it. The
    /// place is where a strict reader stops.
    SITEMAP_MALFORMED = "sitemap-malformed", Deny;
    /// The elements of an entry stand in another order than the protocol's schema has them: `loc`, `lastmod`,
    /// `changefreq`, `priority`, then those of other namespaces.
    SITEMAP_ORDER = "sitemap-order", Warn;
    /// The root element of a sitemap is not in the protocol's namespace, so validators refuse the file.
    SITEMAP_NAMESPACE = "sitemap-namespace", Warn;
    /// An entry has no address, or several; readers skip it or stop there.
    SITEMAP_ENTRY = "sitemap-entry", Deny;
    /// A sitemap has more than the 50,000 entries or the 50 MiB that the protocol allows; engines refuse it whole. Split
    /// it.
    SITEMAP_LIMITS = "sitemap-limits", Deny;
    /// A sitemap lists nothing.
    SITEMAP_EMPTY = "sitemap-empty", Warn;
    /// An index names another index, which the protocol does not allow and readers do not follow.
    SITEMAP_NESTED_INDEX = "sitemap-nested-index", Deny;
    /// An index names a sitemap that the build did not write.
    SITEMAP_CHILD_MISSING = "sitemap-child-missing", Deny;
    /// An index names a sitemap on another host, scheme or port, which engines take from verified owners alone.
    SITEMAP_ELSEWHERE = "sitemap-elsewhere", Warn;
    /// The compressed form beside a sitemap holds something else, so that some readers see an older site.
    SITEMAP_TWIN = "sitemap-twin", Warn;
    /// A sitemap that an index is to name lists addresses outside of the folder it is served in, for which it may not speak
    /// (sitemaps.org, "Sitemap file location"); usually it is served elsewhere than the index would say.
    SITEMAP_FOLDER = "sitemap-folder", Warn;
    /// A priority or changefreq of a sitemap is none of the protocol's; or an image or language link cannot be read, or it
    /// is what is not merged (news, videos, feeds), so the merged set lacks it.
    SITEMAP_VALUE = "sitemap-value", Warn;
    /// An index is to name a sitemap on another host, scheme or port, which engines take only from those who have proved
    /// that both are theirs; `waypost index --other-hosts` allows it.
    INDEX_OTHER_HOST = "index-other-host", Deny;
    /// Pages that belong into the sitemap are not in it: it is older than the build, or its writer missed them. `waypost`
    /// adds them.
    SITEMAP_LACKS_PAGES = "sitemap-lacks-pages", Warn;
    /// Dates in the sitemap are not those of the pages' last change; engines that find dates wrong stop reading them.
    SITEMAP_DATES_DIFFER = "sitemap-dates-differ", Warn;
    /// A `<loc>` is no absolute http or https address.
    LOC_INVALID = "loc-invalid", Deny;
    /// A `<loc>` has 2,048 characters or more, which the protocol does not allow.
    LOC_TOO_LONG = "loc-too-long", Deny;
    /// A `<loc>` lies on another host, scheme or port than the site, or outside its folder; engines ignore such entries.
    LOC_ELSEWHERE = "loc-elsewhere", Deny;
    /// A `<loc>` is not spelt as RFC 3986 has it (raw blanks or letters, a fragment, capitals in the host), so readers
    /// disagree on what it names; encode it.
    LOC_SPELLING = "loc-spelling", Warn;
    /// A `<loc>` names a page in another form than the page's own address (slash, `.html`, index file), so that two
    /// addresses compete.
    LOC_OTHER_FORM = "loc-other-form", Warn;
    /// A sitemap lists an address twice, or two sitemaps of one index list it.
    LOC_TWICE = "loc-twice", Warn;
    /// A `<loc>` names nothing that the build wrote: visitors and engines find an error page there.
    LOC_WITHOUT_FILE = "loc-without-file", Deny;
    /// A listed page asks not to be indexed; sitemap and page contradict each other.
    LOC_NOINDEX = "loc-noindex", Deny;
    /// A listed page only sends its visitors elsewhere; list where it leads.
    LOC_REDIRECT = "loc-redirect", Deny;
    /// A listed page names another one as its canonical; list that one.
    LOC_CANONICAL_ELSEWHERE = "loc-canonical-elsewhere", Deny;
    /// robots.txt forbids a listed page to everyone, so no engine can fetch what the sitemap offers.
    LOC_DISALLOWED = "loc-disallowed", Deny;
    /// A listed page is left out by waypost for another reason: an error page, an excluded page, no page at all.
    LOC_LEFT_OUT = "loc-left-out", Warn;
    /// A `<loc>` names a file that is no page by `extensions` (a feed, a PDF).
    LOC_NO_PAGE = "loc-no-page", Warn;
    /// A `<lastmod>` is no date of the protocol's form (W3C Datetime: `2024-05-06`, `2024-05-06T07:08:09+02:00`).
    LASTMOD_INVALID = "lastmod-invalid", Warn;
    /// A `<lastmod>` lies in the future.
    LASTMOD_FUTURE = "lastmod-future", Warn;
    /// All dates of the sitemap are the time of the build: the page's last change is not known to its writer, and engines
    /// learn to ignore the dates.
    LASTMOD_BUILD_DATE = "lastmod-build-date", Warn;
    /// All dates of the sitemap are one and the same, though the pages did not change together; engines distrust that.
    LASTMOD_ALL_EQUAL = "lastmod-all-equal", Warn;
    /// robots.txt names no sitemap of this site, so engines that nobody told of it do not find it; `waypost` adds the line.
    ROBOTS_TXT_NO_SITEMAP = "robots-txt-no-sitemap", Warn;
    /// robots.txt names a sitemap that the build did not write.
    ROBOTS_TXT_SITEMAP_MISSING = "robots-txt-sitemap-missing", Deny;
    /// robots.txt forbids the sitemap itself to everyone, so no engine reads it.
    ROBOTS_TXT_DISALLOWS_SITEMAP = "robots-txt-disallows-sitemap", Deny;
    /// A page's `<link rel=alternate>` names an RSS, Atom or JSON feed that the build did not write.
    FEED_MISSING = "feed-missing", Warn;
    /// No other listed page links to a listed page. Looked for by `waypost check` where `[levels]` gives it a level, as every
    /// page is then parsed to its end.
    ORPHAN_PAGE = "orphan-page", Allow;
    /// Listed pages are the same byte for byte under several addresses; give them one canonical link. Looked for by
    /// `waypost check`.
    EQUAL_PAGES = "equal-pages", Warn;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_name_of_its_own_in_kebab_case() {
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
