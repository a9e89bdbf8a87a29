//! Predicts the output files of Jekyll: for pages, posts and collection documents.
//!
//! Follows Jekyll's classes `Page`, `Document` and `URL` without running Ruby. A file whose URL
//! depends on something unknown here has no output file.

use serde_json::Value;

use super::calendar::CalendarDate;
use super::content_name::ContentName;
use super::convention_input::ConventionInput;
use super::front_matter::FrontMatter;
use super::own_config::OwnConfig;
use super::slug::{self, JekyllSlug};
use super::url_pattern::UrlPattern;
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::glob::PatternSet;

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

/// Keys of front matter that affect the output file, besides `permalink`.
const URL_KEYS: [&str; 5] = ["slug", "categories", "category", "date", "published"];

/// The value that Jekyll's front matter defaults give a key of a file
/// (`Jekyll::FrontmatterDefaults`): the longest path counts, then a type, then the last.
pub(super) fn default_of<'a>(
    config: &'a OwnConfig,
    source: &SitePath,
    key: &str,
) -> Option<&'a Value> {
    let defaults = config.get("defaults")?.as_array()?;
    let root = config.text("source").unwrap_or_default();
    let path = source.to_text();
    let path = path
        .strip_prefix(root)
        .unwrap_or(&path)
        .trim_start_matches('/');
    let dir = path.split('/').find(|dir| dir.starts_with('_'));
    let kind = dir.map_or("pages", |dir| &dir[1..]);
    let mut best: Option<((usize, bool), &Value)> = None;
    for default in defaults {
        let scope = |name: &str| default.pointer(&format!("/scope/{name}"))?.as_str();
        let scope_path = scope("path").unwrap_or_default().trim_start_matches('/');
        let wanted = scope("type");
        let is_in_scope = if scope_path.contains('*') {
            let below = format!("{}/**", scope_path.trim_end_matches('/'));
            let globs = [scope_path.to_owned(), below];
            PatternSet::parse(globs.iter()).is_ok_and(|globs| globs.matches(path.as_bytes()))
        } else {
            path.starts_with(scope_path)
        };
        let rank = (scope_path.len(), wanted.is_some());
        if is_in_scope
            && wanted.is_none_or(|wanted| wanted == kind)
            && best.is_none_or(|(known, _)| rank >= known)
            && let Some(value) = default.pointer(&format!("/values/{key}"))
        {
            best = Some((rank, value));
        }
    }
    best.map(|(_, value)| value)
}

/// URL rules of one Jekyll site.
#[derive(Debug)]
pub(super) struct JekyllUrls<'a> {
    config: &'a OwnConfig,
    style: &'a str,
}

/// The kind of a content file, which follows from its path.
enum JekyllFileKind<'n> {
    Page,
    /// A post. Parent directories are categories; date and slug come from the file name, which has
    /// no date if the post is a draft.
    Post {
        categories: &'n [&'n str],
        date: Option<CalendarDate>,
        rest: &'n str,
    },
    Document {
        collection: &'n str,
        folders: &'n [&'n str],
    },
}

impl<'a> JekyllUrls<'a> {
    pub(super) fn new(config: &'a OwnConfig) -> Self {
        Self {
            config,
            style: config.text("permalink").unwrap_or("date"),
        }
    }

    /// The files that a content file may become.
    pub(super) fn outputs_of(&self, content: &ConventionInput<'_>) -> Vec<SitePath> {
        let (name, front_matter) = (content.name, content.front_matter);
        let default = |key: &str| default_of(self.config, content.path, key);
        let (Some(place), false) = (
            self.kind_of(name),
            URL_KEYS.iter().any(|key| default(key).is_some()),
        ) else {
            return Vec::new();
        };
        let own = front_matter.text("permalink");
        let own = own.or_else(|| default("permalink")?.as_str());
        let pattern = match (own, &place) {
            (Some(own), _) => own.to_owned(),
            (None, JekyllFileKind::Page) => self.page_pattern(name),
            (None, JekyllFileKind::Post { .. }) => self.post_pattern().to_owned(),
            (None, JekyllFileKind::Document { collection, .. }) => {
                self.document_pattern(collection)
            }
        };
        let pattern = UrlPattern::parse(&pattern);
        let mut files: Vec<SitePath> = Vec::new();
        for date in dates(&place, front_matter) {
            let url = pattern.fill(|token, _| text_of(token, name, &place, front_matter, date));
            files.extend(
                url.map(|url| file_of(&url))
                    .filter(|file| !files.contains(file)),
            );
        }
        files
    }

    fn kind_of<'n>(&self, name: &'n ContentName<'_>) -> Option<JekyllFileKind<'n>> {
        let dirs = &name.dirs[..];
        let Some(at) = dirs.iter().position(|dir| dir.starts_with('_')) else {
            return (!name.stem.starts_with('_')).then_some(JekyllFileKind::Page);
        };
        if dirs[at] == "_posts" {
            let (date, rest) = CalendarDate::split_post_name(name.stem)?;
            return Some(JekyllFileKind::Post {
                categories: &dirs[..at],
                date: Some(date),
                rest,
            });
        }
        if dirs[at] == "_drafts" {
            let dated = CalendarDate::split_post_name(name.stem);
            let (date, rest) = dated.map_or((None, name.stem), |(date, rest)| (Some(date), rest));
            return Some(JekyllFileKind::Post {
                categories: &dirs[..at],
                date,
                rest,
            });
        }
        let included = self.config.get("include").and_then(Value::as_array);
        if included.is_some_and(|included| included.iter().any(|known| known == dirs[at])) {
            return Some(JekyllFileKind::Page);
        }
        let collection = dirs[at].trim_start_matches('_');
        let is_output = self
            .config
            .is_on(&format!("collections.{collection}.output"));
        (at == 0 && is_output).then_some(JekyllFileKind::Document {
            collection,
            folders: &dirs[1..],
        })
    }

    fn is_pretty(&self) -> bool {
        self.style == "pretty" || self.style.ends_with('/')
    }

    fn page_pattern(&self, name: &ContentName<'_>) -> String {
        let pattern = match (name.stem, self.is_pretty()) {
            ("index", true) => "/:path/",
            (_, true) => "/:path/:basename/",
            (_, false) => "/:path/:basename:output_ext",
        };
        pattern.to_owned()
    }

    fn post_pattern(&self) -> &str {
        let of_posts = self.config.text("collections.posts.permalink");
        let style = of_posts.unwrap_or(self.style);
        STYLES
            .iter()
            .find(|(known, _)| *known == style)
            .map_or(style, |(_, pattern)| pattern)
    }

    fn document_pattern(&self, collection: &str) -> String {
        let own = self
            .config
            .text(&format!("collections.{collection}.permalink"));
        let default = if self.is_pretty() {
            "/:collection/:path/"
        } else {
            "/:collection/:path:output_ext"
        };
        own.unwrap_or(default).to_owned()
    }
}

/// Candidate dates for the URL of a page. Jekyll converts a time with a zone to the time zone of
/// the build, so the date may be one day earlier or later.
fn dates(place: &JekyllFileKind<'_>, front_matter: &FrontMatter) -> Vec<Option<CalendarDate>> {
    let own = front_matter.value("date").filter(|value| !value.is_null());
    let of_name = match place {
        JekyllFileKind::Post { date, .. } => *date,
        JekyllFileKind::Page | JekyllFileKind::Document { .. } => None,
    };
    if own.is_none() {
        return vec![of_name];
    }
    let text = front_matter.date(["date"]);
    let Some((text, written)) =
        text.and_then(|text| Some((text.clone(), CalendarDate::parse(&text)?)))
    else {
        return vec![None];
    };
    let has_zone = text.len() > 10 && text[10..].contains(['+', '-', 'Z', 'z']);
    if has_zone {
        written.with_neighbours().into_iter().map(Some).collect()
    } else {
        vec![Some(written)]
    }
}

fn text_of(
    token: &str,
    name: &ContentName<'_>,
    place: &JekyllFileKind<'_>,
    front_matter: &FrontMatter,
    date: Option<CalendarDate>,
) -> Option<String> {
    let format = |format: &str| Some(date?.format(format));
    let named = match place {
        JekyllFileKind::Post { rest, .. } => rest,
        JekyllFileKind::Page | JekyllFileKind::Document { .. } => name.stem,
    };
    let slug = || {
        front_matter
            .scalar("slug")
            .unwrap_or_else(|| named.to_owned())
    };
    match (token, place) {
        ("output_ext", _) => Some(".html".to_owned()),
        ("path", JekyllFileKind::Page) => Some(name.dirs.join("/")),
        ("basename" | "name", JekyllFileKind::Page) => Some(name.stem.to_owned()),
        (_, JekyllFileKind::Page) => None,
        ("path", JekyllFileKind::Document { folders: dirs, .. }) => Some(
            dirs.iter()
                .copied()
                .chain([name.stem])
                .collect::<Vec<_>>()
                .join("/"),
        ),
        ("name", JekyllFileKind::Document { .. }) => {
            Some(slug::jekyll(name.stem, JekyllSlug::Default))
        }
        ("collection", JekyllFileKind::Document { collection, .. }) => {
            Some((*collection).to_owned())
        }
        ("title", _) => Some(slug::jekyll(&slug(), JekyllSlug::Cased)),
        ("slug", _) => Some(slug::jekyll(&slug(), JekyllSlug::Default)),
        ("categories", JekyllFileKind::Post { categories, .. }) => {
            categories_of(categories, front_matter)
        }
        ("year", _) => format("%Y"),
        ("month", _) => format("%m"),
        ("i_month", _) => format("%-m"),
        ("short_month", _) => format("%b"),
        ("long_month", _) => format("%B"),
        ("day", _) => format("%d"),
        ("i_day", _) => format("%-d"),
        ("y_day", _) => format("%j"),
        ("short_day", _) => format("%a"),
        ("long_day", _) => format("%A"),
        ("week", _) => format("%V"),
        ("short_year", _) => format("%y"),
        _ => None,
    }
}

/// The categories of a post: its parent directories, then `category`, then `categories`, in lower
/// case and without duplicates.
fn categories_of(dirs: &[&str], front_matter: &FrontMatter) -> Option<String> {
    let mut all: Vec<String> = dirs.iter().map(|dir| dir.to_lowercase()).collect();
    all.extend(
        front_matter
            .scalar("category")
            .map(|category| category.to_lowercase()),
    );
    match front_matter.value("categories") {
        None | Some(Value::Null) => {}
        Some(Value::String(text)) => all.extend(text.split_whitespace().map(str::to_lowercase)),
        Some(Value::Array(list)) => {
            for category in list {
                all.push(category.as_str()?.to_lowercase());
            }
        }
        Some(_) => return None,
    }
    let mut once: Vec<String> = Vec::with_capacity(all.len());
    for category in all {
        if !once.contains(&category) {
            once.push(category);
        }
    }
    Some(once.join("/"))
}

fn file_of(url: &str) -> SitePath {
    let parts: Vec<&str> = url.split('/').filter(|part| !part.is_empty()).collect();
    let path = parts.join("/");
    let file = match (
        url.ends_with('/'),
        path.strip_suffix(".html").unwrap_or(&path),
    ) {
        (_, "") => "index.html".to_owned(),
        (true, _) => format!("{path}/index.html"),
        (false, stem) => format!("{stem}.html"),
    };
    SitePath::from(file.as_str())
}
