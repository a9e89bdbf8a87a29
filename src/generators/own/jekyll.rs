//! URLs of Jekyll's pages, posts and collection documents.
//!
//! Follows Jekyll's classes `Page`, `Document` and `URL` without running Ruby. A file whose URL
//! depends on something unknown here has no URL.

use serde_json::Value;

use crate::files::glob::PatternSet;
use crate::generators::{
    CalendarDate, Conventions, FrontMatter, OwnConfig, PredictionInput, UrlPath, filled, is_word,
    without_empty_parts,
};
use sitemaps::site_paths::{SitePath, decode};

/// Jekyll's built-in permalink styles as patterns (its manual, "Permalinks").
const STYLES: [(&str, &str); 5] = [
    ("date", "/:categories/:year/:month/:day/:title:output_ext"),
    ("pretty", "/:categories/:year/:month/:day/:title/"),
    ("ordinal", "/:categories/:year/:y_day/:title:output_ext"),
    (
        "weekdate",
        "/:categories/:year/W:week/:short_day/:title:output_ext",
    ),
    ("none", "/:categories/:title:output_ext"),
];

/// Keys of front matter that affect the URL, besides `permalink`.
const URL_KEYS: [&str; 5] = ["slug", "categories", "category", "date", "published"];

pub(super) struct Jekyll;

impl Conventions for Jekyll {
    fn paths(&self, content: &PredictionInput<'_>) -> Vec<UrlPath> {
        let config = content.config;
        let (path, front_matter) = (content.path, content.front_matter);
        if !front_matter.is_present()
            || URL_KEYS
                .iter()
                .any(|key| self.default_of(config, path, front_matter, key).is_some())
        {
            return Vec::new();
        }
        let Some(file) = JekyllFile::of(config, content) else {
            return Vec::new();
        };
        let pattern = front_matter
            .text("permalink")
            .or_else(|| {
                let default = self.default_of(config, path, front_matter, "permalink");
                default?.as_str()
            })
            .unwrap_or_else(|| file.pattern(config));
        let mut paths = Vec::new();
        for date in file.dates() {
            if let Some(url) = filled(pattern, |token| file.value_of(token, date)) {
                let path = path_of(&url);
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
        }
        paths
    }

    /// The value that Jekyll's front matter defaults give a key of a file
    /// (`Jekyll::FrontmatterDefaults`): the longest path counts, then a type, then the last.
    ///
    /// A file without front matter is copied, and has no type.
    fn default_of<'c>(
        &self,
        config: &'c OwnConfig,
        source: &SitePath,
        front_matter: &FrontMatter,
        key: &str,
    ) -> Option<&'c Value> {
        let defaults = config.get("defaults")?.as_array()?;
        let root = config.text("source").unwrap_or_default();
        let whole = source.to_text();
        let path = whole.strip_prefix(root).unwrap_or(&whole);
        let path = path.trim_start_matches('/');
        let kind = path
            .split('/')
            .find_map(|dir| dir.strip_prefix('_'))
            .or(front_matter.is_present().then_some("pages"));
        let values = defaults.iter().filter_map(|default| {
            let dir = default.pointer("/scope/path").and_then(Value::as_str);
            let dir = dir.unwrap_or_default().trim_start_matches('/');
            let wanted = default.pointer("/scope/type").and_then(Value::as_str);
            let value = default.get("values")?.get(key)?;
            let is_meant = is_in_scope(path, dir) && (wanted.is_none() || wanted == kind);
            is_meant.then_some(((dir.len(), wanted.is_some()), value))
        });
        Some(values.max_by_key(|(rank, _)| *rank)?.1)
    }
}

fn is_in_scope(path: &str, dir: &str) -> bool {
    if !dir.contains('*') {
        return path.starts_with(dir);
    }
    let globs = [dir.to_owned(), format!("{}/**", dir.trim_end_matches('/'))];
    PatternSet::parse(globs.iter()).is_ok_and(|globs| globs.matches(path.as_bytes()))
}

/// A content file, as its path describes it.
struct JekyllFile<'f> {
    kind: JekyllFileKind<'f>,
    /// Its directories: the categories of a post, or those within the collection of a document.
    dirs: &'f [&'f str],
    /// Its name, that of a post without the date.
    name: &'f str,
    /// The date in the name of a post.
    date: Option<CalendarDate>,
    front_matter: &'f FrontMatter,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum JekyllFileKind<'f> {
    Page,
    Post,
    /// A document of this collection.
    Document(&'f str),
}

impl<'f> JekyllFile<'f> {
    fn of(config: &OwnConfig, content: &'f PredictionInput<'_>) -> Option<Self> {
        let (all, stem) = (&content.name.dirs[..], content.name.stem);
        let (kind, dirs, name, date) = match all.iter().position(|dir| dir.starts_with('_')) {
            None if stem.starts_with('_') => return None,
            None => (JekyllFileKind::Page, all, stem, None),
            Some(at) if matches!(all[at], "_posts" | "_drafts") => {
                let (date, name) = match CalendarDate::split_post_name(stem) {
                    Some((date, name)) => (Some(date), name),
                    None if all[at] == "_drafts" => (None, stem),
                    None => return None,
                };
                (JekyllFileKind::Post, &all[..at], name, date)
            }
            Some(at) if config.texts("include").contains(&all[at]) => {
                (JekyllFileKind::Page, all, stem, None)
            }
            Some(at) => {
                let collection = all[at].trim_start_matches('_');
                if at > 0 || !config.is_on(&format!("collections.{collection}.output")) {
                    return None;
                }
                let kind = JekyllFileKind::Document(collection);
                (kind, &all[1..], stem, None)
            }
        };
        Some(Self {
            kind,
            dirs,
            name,
            date,
            front_matter: content.front_matter,
        })
    }

    /// The URL pattern, if the front matter has none.
    fn pattern<'c>(&self, config: &'c OwnConfig) -> &'c str {
        let style = config.text("permalink").unwrap_or("date");
        let is_pretty = style == "pretty" || style.ends_with('/');
        match self.kind {
            JekyllFileKind::Page if is_pretty && self.name == "index" => "/:path/",
            JekyllFileKind::Page if is_pretty => "/:path/:basename/",
            JekyllFileKind::Page => "/:path/:basename:output_ext",
            JekyllFileKind::Post => {
                let style = config.text("collections.posts.permalink").unwrap_or(style);
                let known = STYLES.iter().find(|(known, _)| *known == style);
                known.map_or(style, |(_, pattern)| pattern)
            }
            JekyllFileKind::Document(name) => config
                .text(&format!("collections.{name}.permalink"))
                .unwrap_or(if is_pretty {
                    "/:collection/:path/"
                } else {
                    "/:collection/:path:output_ext"
                }),
        }
    }

    /// Candidate dates for the URL of a page. Jekyll converts a time with a zone to the time zone of
    /// the build, so the date may be one day earlier or later.
    fn dates(&self) -> Vec<Option<CalendarDate>> {
        let own = self.front_matter.value("date");
        if own.is_none_or(Value::is_null) {
            return vec![self.date];
        }
        let text = self.front_matter.date(["date"]).unwrap_or_default();
        match CalendarDate::parse(&text) {
            Some(date) if text.len() > 10 && text[10..].contains(['+', '-', 'Z', 'z']) => {
                date.with_neighbours().into_iter().map(Some).collect()
            }
            date => vec![date],
        }
    }

    fn value_of(&self, token: &str, date: Option<CalendarDate>) -> Option<String> {
        match (token, self.kind) {
            ("output_ext", _) => Some(".html".to_owned()),
            ("path", JekyllFileKind::Page) => Some(self.dirs.join("/")),
            ("basename" | "name", JekyllFileKind::Page) => Some(self.name.to_owned()),
            (_, JekyllFileKind::Page) => None,
            ("path", JekyllFileKind::Document(_)) => {
                Some([self.dirs, &[self.name]].concat().join("/"))
            }
            ("name", JekyllFileKind::Document(_)) => Some(lower_slug(self.name)),
            ("collection", JekyllFileKind::Document(collection)) => Some(collection.to_owned()),
            ("title", _) => Some(title_slug(&self.own_name())),
            ("slug", _) => Some(lower_slug(&self.own_name())),
            ("categories", JekyllFileKind::Post) => self.categories(),
            (token, _) => date?.part(token),
        }
    }

    /// The slug in the front matter, or else the name.
    fn own_name(&self) -> String {
        let slug = self.front_matter.scalar("slug");
        slug.unwrap_or_else(|| self.name.to_owned())
    }

    /// The categories of a post: its parent directories, then `category`, then `categories`, in lower
    /// case and without duplicates.
    fn categories(&self) -> Option<String> {
        let mut all: Vec<String> = self.dirs.iter().map(|dir| (*dir).to_owned()).collect();
        all.extend(self.front_matter.scalar("category"));
        match self.front_matter.value("categories") {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => all.extend(text.split_whitespace().map(str::to_owned)),
            Some(Value::Array(list)) => {
                let names = list.iter().map(|name| name.as_str().map(str::to_owned));
                all.extend(names.collect::<Option<Vec<_>>>()?);
            }
            Some(_) => return None,
        }
        let mut once: Vec<String> = Vec::new();
        for category in all.iter().map(|category| category.to_lowercase()) {
            if !once.contains(&category) {
                once.push(category);
            }
        }
        Some(once.join("/"))
    }
}

fn path_of(url: &str) -> UrlPath {
    // Jekyll writes to the decoded path (`URL.unescape_path`).
    let decoded = decode(url);
    let path = without_empty_parts(&String::from_utf8_lossy(&decoded));
    if url.ends_with('/') {
        UrlPath::Folder(path)
    } else {
        UrlPath::Page(path.strip_suffix(".html").unwrap_or(&path).to_owned())
    }
}

/// Jekyll's `:title`: each run of characters other than letters, marks, digits and some punctuation
/// becomes one hyphen, or none at either end.
fn title_slug(name: &str) -> String {
    hyphenated(name, |character| {
        is_word(character) || "._~!$&'()+,;=@".contains(character)
    })
}

/// Jekyll's `:slug`: the same without punctuation, in lower case.
fn lower_slug(name: &str) -> String {
    hyphenated(name, is_word).to_lowercase()
}

fn hyphenated(name: &str, is_kept: impl Fn(char) -> bool) -> String {
    name.split(|character| !is_kept(character))
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_match_jekyll() {
        assert_eq!(title_slug("Second Post: a.b!"), "Second-Post-a.b!");
        assert_eq!(lower_slug("Second Post: a.b!"), "second-post-a-b");
    }
}
