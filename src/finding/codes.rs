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
    /// An hreflang link is not returned by the page it names, so engines ignore it; it is not written.
    HREFLANG_NOT_RETURNED = "hreflang-not-returned", Warn;
    /// An hreflang code is no language code of the documented form (`de`, `pt-BR`, `zh-Hant-TW`, `x-default`).
    HREFLANG_CODE = "hreflang-code", Warn;
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
    /// A symbolic link leads out of the output folder, back into itself, or nowhere; it is not followed.
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
    /// The clone is shallow: pages whose last change lies beyond its boundary have no date.
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
    /// The settings ask for something that this version does not write.
    NOT_WRITTEN_YET = "not-written-yet", Warn;
    /// No page is left to list, so no sitemap is written.
    NOTHING_LISTED = "nothing-listed", Warn;
    /// An earlier or foreign sitemap contradicts the new one and was removed.
    STALE_FILE_REMOVED = "stale-file-removed", Allow;
    /// A single page's entry is larger than `sitemap.max_bytes`, so its sitemap is too.
    SITEMAP_OVER_LIMIT = "sitemap-over-limit", Warn;
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
        assert!(names.iter().all(|name| name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))));
    }
}
