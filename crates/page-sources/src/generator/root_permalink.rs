//! URL patterns of the pages of one content directory, such as Hexo's posts.

use regex::Regex;

use super::calendar::CalendarDate;
use super::convention_input::ConventionInput;
use super::own_config::OwnConfig;
use super::url_path::UrlPath;
use super::url_pattern::UrlPattern;

/// Length of a date with a time but without a zone: `2024-05-06 07:08:09`.
const WITHOUT_ZONE: usize = 19;

/// Hexo's settings key of the names of new posts, with which it also reads the names of all posts.
const NAMES_KEY: &str = "new_post_name";

/// Default of that setting.
const DEFAULT_NAMES: &str = ":title.md";

/// The URL patterns of content directories.
#[derive(Debug)]
pub(super) struct RootPermalinks {
    /// The parts of a name; `None` if the setting cannot be read.
    names: Option<Regex>,
}

/// The name of a post.
struct PostName {
    title: String,
    date: Option<CalendarDate>,
}

impl RootPermalinks {
    pub(super) fn new(config: &OwnConfig) -> Self {
        let names = config.text(NAMES_KEY).unwrap_or(DEFAULT_NAMES);
        let stem = names.rsplit_once('.').map_or(names, |(stem, _)| stem);
        let parts = UrlPattern::parse(&regex::escape(stem)).fill(|token, _| {
            let digits = match token {
                "year" => "[0-9]{4}",
                "month" | "day" => "[0-9]{2}",
                "i_month" | "i_day" => "[0-9]{1,2}",
                "title" => ".+?",
                _ => return None,
            };
            Some(format!("(?<{token}>{digits})"))
        });
        let compiled = |parts: String| Regex::new(&format!("^{parts}$")).ok();
        Self {
            names: parts.and_then(compiled),
        }
    }

    /// The URL path of a page by a pattern; `None` if a token has no known value. `date` is the date
    /// in its front matter.
    pub(super) fn path(
        &self,
        pattern: &str,
        date: Option<String>,
        content: &ConventionInput<'_>,
    ) -> Option<UrlPath> {
        let named = self.name_of(content)?;
        // A zone may move the date to another day in the time zone of the settings.
        let date = match date {
            Some(date) => CalendarDate::parse(&date).filter(|_| date.trim().len() <= WITHOUT_ZONE),
            None => named.date,
        };
        let dated = |format: &str| Some(date?.format(format));
        let filled = UrlPattern::parse(pattern).fill(|token, _| match token {
            "year" => dated("%Y"),
            "month" => dated("%m"),
            "i_month" => dated("%-m"),
            "day" => dated("%d"),
            "i_day" => dated("%-d"),
            "title" => Some(named.title.clone()),
            "name" => named.title.rsplit('/').next().map(str::to_owned),
            _ => None,
        })?;
        let trimmed = filled.trim_matches('/').to_owned();
        Some(if filled.ends_with('/') {
            UrlPath::Folder(trimmed)
        } else {
            UrlPath::File(trimmed)
        })
    }

    /// The title and the date in the name of a post; `None` if its title is not known.
    fn name_of(&self, content: &ConventionInput<'_>) -> Option<PostName> {
        let parts = content.name.dirs.iter().chain([&content.name.stem]);
        let path = parts.copied().collect::<Vec<_>>().join("/");
        let Some(parts) = self.names.as_ref()?.captures(&path) else {
            let title = slug_of(&path)?;
            return Some(PostName { title, date: None });
        };
        let part = |keys: [&str; 2]| keys.iter().find_map(|key| parts.name(key));
        let numbers = [["year", "year"], ["month", "i_month"], ["day", "i_day"]].map(part);
        let date = match numbers.map(|number| number.map(|number| number.as_str())) {
            [Some(year), Some(month), Some(day)] => {
                CalendarDate::parse(&format!("{year}-{month:0>2}-{day:0>2}"))
            }
            _ => None,
        };
        let title = parts.name("title")?.as_str().to_owned();
        Some(PostName { title, date })
    }
}

/// The slug that Hexo makes of a name of another form (`slugize` of its package hexo-util), for names
/// in ASCII.
fn slug_of(path: &str) -> Option<String> {
    let parts = path.split(|character: char| !character.is_ascii_alphanumeric());
    let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    path.is_ascii().then(|| parts.join("-"))
}
