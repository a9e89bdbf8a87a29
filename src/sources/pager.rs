//! Recognizes pagination pages, the further pages of a list, by their paths.

use crate::generators::{ContentIndex, Site};
use sitemaps::site_paths::SitePath;

/// The token for the number of the page.
const NUMBER: &str = ":num";

/// The path of pagination pages below their list, unless the settings change it.
const USUAL: &str = "page";

/// The paths of the pagination pages of a site.
#[derive(Debug)]
pub(crate) struct Pagers {
    paths: Vec<PagerPath>,
}

/// The path of a pagination page below its list, before and after its number: `page/` in most
/// sites, `page` in Jekyll.
#[derive(Debug)]
struct PagerPath {
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Pagers {
    /// The paths in the settings and in the front matter of list pages, besides the usual one.
    pub(crate) fn of(site: &Site, content: &ContentIndex) -> Self {
        let mut names = vec![USUAL];
        if let Some(generator) = site.generator {
            names.extend(site.config.texts_of(&generator.pager_path));
            if let Some(key) = generator.front_matter.pager.as_deref() {
                for taxonomies in generator
                    .terms
                    .keys()
                    .filter_map(|key| site.config.get(key))
                {
                    let tables = taxonomies.as_array().into_iter().flatten();
                    names.extend(tables.filter_map(|table| table.get(key)?.as_str()));
                }
                names.extend(content.texts_in_lists(key));
            }
        }
        names.sort_unstable();
        names.dedup();
        Self {
            paths: names.into_iter().filter_map(PagerPath::parse).collect(),
        }
    }

    /// Whether the file is a pagination page (`…/page/2/index.html`), which shows older entries.
    pub(crate) fn contain(&self, file: &SitePath) -> bool {
        self.list_of(file).is_some()
    }

    /// The directory of the list that a pagination page continues, with its trailing `/`; empty for
    /// the top level.
    pub(crate) fn list_of<'f>(&self, file: &'f SitePath) -> Option<&'f [u8]> {
        let dir = file.dir().strip_suffix(b"/")?;
        self.paths.iter().find_map(|path| path.list_of(dir))
    }
}

impl PagerPath {
    /// Reads `page`, `/blog/page:num/` or `/page/:num`. Directories in front of the last name are
    /// those of one list, so they do not count.
    fn parse(written: &str) -> Option<Self> {
        let mut parts = written.rsplit('/').filter(|part| !part.is_empty());
        let last = parts.next()?;
        let (before, after) = match last.split_once(NUMBER) {
            None => (format!("{last}/"), ""),
            Some(("", "")) => (format!("{}/", parts.next()?), ""),
            Some((before, after)) => (before.to_owned(), after),
        };
        Some(Self {
            before: before.into_bytes(),
            after: after.as_bytes().to_vec(),
        })
    }

    /// The directory of the list, if `dir` is that of one of its further pages.
    fn list_of<'f>(&self, dir: &'f [u8]) -> Option<&'f [u8]> {
        let numbered = dir.strip_suffix(&*self.after)?;
        let digits = numbered
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_digit());
        let number = numbered.len() - digits.count();
        let list = numbered[..number].strip_suffix(&*self.before)?;
        let is_whole = list.is_empty() || list.ends_with(b"/");
        (is_whole && number < numbered.len()).then_some(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pagination_page_names_its_list_by_its_path() {
        let check = |written: &str, file: &str, list: Option<&str>| {
            let pagers = Pagers {
                paths: PagerPath::parse(written).into_iter().collect(),
            };
            let file = SitePath::from(file);
            let found = pagers.list_of(&file);
            assert_eq!(found, list.map(str::as_bytes), "{written} {file}");
        };
        check("page", "page/2/index.html", Some(""));
        check("page", "blog/page/12/index.html", Some("blog/"));
        check("page", "blog/mypage/2/index.html", None);
        check("page", "blog/page/x/index.html", None);
        check("page", "2/index.html", None);
        check("seite/", "a/b/seite/2/index.html", Some("a/b/"));
        check("/blog/page:num/", "blog/page2/index.html", Some("blog/"));
        check("/page:num", "page2/index.html", Some(""));
        check("page-:num-of", "a/page-3-of/index.html", Some("a/"));
        check("page:num", "pages/index.html", None);
        check("/p/:num/", "a/p/3/index.html", Some("a/"));
        check("", "a/3/index.html", None);
        check(":num", "a/3/index.html", None);
    }
}
