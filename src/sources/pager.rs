//! Recognizes pagination pages, the further pages of a list, by their paths.

use page_sources::generator::{ContentIndex, Generator, OwnConfig, Site};
use serde_json::Value;
use sitemaps::site_paths::SitePath;

/// The token for the number of the page.
const NUMBER: &[u8] = b":num";

/// The path of pagination pages below their list, unless the settings change it.
const USUAL: &str = "page";

/// Zola's key of that path, in sections and taxonomies.
const ZOLA_KEY: &str = "paginate_path";

/// The paths of the pagination pages of a site.
#[derive(Debug)]
pub(crate) struct Pagers {
    paths: Vec<PagerPath>,
}

/// The path of a pagination page below its list: the directory `page` and a number, or a directory
/// with a number in its name, such as `page:num` in Jekyll.
#[derive(Debug, PartialEq, Eq)]
enum PagerPath {
    Dir(Vec<u8>),
    Name { before: Vec<u8>, after: Vec<u8> },
}

impl Pagers {
    /// The paths in the settings and in the front matter of list pages, besides the usual one.
    pub(crate) fn of(site: &Site<'_>, content: &ContentIndex) -> Self {
        let mut names = vec![USUAL];
        if let Some(generator) = site.generator {
            names.extend(site.config.texts_of(&generator.pager_path));
            if generator.name == "zola" {
                let taxonomies = taxonomies_of(generator, &site.config);
                names.extend(taxonomies.filter_map(|table| table.get(ZOLA_KEY)?.as_str()));
                names.extend(content.texts_in_lists(ZOLA_KEY));
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

/// The tables of taxonomies in the settings.
fn taxonomies_of<'s>(
    generator: &'s Generator,
    config: &'s OwnConfig,
) -> impl Iterator<Item = &'s Value> {
    let lists = generator.terms.keys().filter_map(|key| config.get(key));
    lists.filter_map(Value::as_array).flatten()
}

impl PagerPath {
    /// Reads `page`, `/blog/page:num/` or `/page/:num`. Directories in front of the last name are
    /// those of one list, so they do not count.
    fn parse(written: &str) -> Option<Self> {
        let parts = written.split('/').filter(|part| !part.is_empty());
        let mut parts = parts.map(str::as_bytes).rev();
        let last = parts.next()?;
        match memchr::memmem::find(last, NUMBER) {
            None => Some(Self::Dir(last.to_vec())),
            Some(0) if last == NUMBER => Some(Self::Dir(parts.next()?.to_vec())),
            Some(at) => Some(Self::Name {
                before: last[..at].to_vec(),
                after: last[at + NUMBER.len()..].to_vec(),
            }),
        }
    }

    /// The directory of the list, if `dir` is that of one of its further pages.
    fn list_of<'f>(&self, dir: &'f [u8]) -> Option<&'f [u8]> {
        let (above, last) = split_last(dir);
        match self {
            Self::Dir(name) if is_number(last) => {
                let (above, parent) = split_last(above.strip_suffix(b"/")?);
                (parent == name.as_slice()).then_some(above)
            }
            Self::Dir(_) => None,
            Self::Name { before, after } => {
                let number = last.strip_prefix(before.as_slice())?;
                is_number(number.strip_suffix(after.as_slice())?).then_some(above)
            }
        }
    }
}

/// Splits a path before its last component.
fn split_last(path: &[u8]) -> (&[u8], &[u8]) {
    path.split_at(memchr::memrchr(b'/', path).map_or(0, |at| at + 1))
}

fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
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
