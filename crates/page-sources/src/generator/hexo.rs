//! URLs of Hexo's posts, by the settings `permalink` and `new_post_name`.

use regex::{Captures, Regex};

use super::calendar::CalendarDate;
use super::convention_input::ConventionInput;
use super::own_config::OwnConfig;
use super::url_path::UrlPath;
use super::url_pattern::filled;

/// The content directory of posts.
const POSTS: &str = "source/_posts";

/// Length of a date with a time but without a zone: `2024-05-06 07:08:09`.
const WITHOUT_ZONE: usize = 19;

/// The URL patterns of a site.
#[derive(Debug)]
pub(super) struct HexoUrls<'a> {
    permalink: &'a str,
    /// The parts of a post's name; `None` if the setting cannot be read.
    names: Option<Regex>,
}

impl<'a> HexoUrls<'a> {
    pub(super) fn new(config: &'a OwnConfig) -> Self {
        // The names of new posts, with which Hexo also reads the names of all posts.
        let names = config.text("new_post_name").unwrap_or(":title.md");
        let stem = names.rsplit_once('.').map_or(names, |(stem, _)| stem);
        let parts = filled(&regex::escape(stem), |token, _| {
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
        let permalink = config.text("permalink");
        Self {
            permalink: permalink.unwrap_or(":year/:month/:day/:title/"),
            names: parts.and_then(compiled),
        }
    }

    /// The URL path of a post, empty if a token has no known value; `None` for other pages.
    pub(super) fn paths_of(&self, content: &ConventionInput<'_>) -> Option<Vec<UrlPath>> {
        let path_of = || self.path_of(content).into_iter().collect();
        (content.root.path == POSTS).then(path_of)
    }

    fn path_of(&self, content: &ConventionInput<'_>) -> Option<UrlPath> {
        let parts = content.name.dirs.iter().chain([&content.name.stem]);
        let name = parts.copied().collect::<Vec<_>>().join("/");
        let parts = self.names.as_ref()?.captures(&name);
        let title = match &parts {
            Some(parts) => parts.name("title")?.as_str().to_owned(),
            None => slug_of(&name)?,
        };
        // A zone may move the date to another day in the time zone of the settings.
        let date = match content.front_matter.date(["date"]) {
            Some(date) => CalendarDate::parse(&date).filter(|_| date.trim().len() <= WITHOUT_ZONE),
            None => parts.as_ref().and_then(date_of),
        };
        let path = filled(self.permalink, |token, _| match token {
            "title" => Some(title.clone()),
            "name" => title.rsplit('/').next().map(str::to_owned),
            token => date?.part(token),
        })?;
        let trimmed = path.trim_matches('/').to_owned();
        Some(if path.ends_with('/') {
            UrlPath::Folder(trimmed)
        } else {
            UrlPath::File(trimmed)
        })
    }
}

/// The date in the name of a post.
fn date_of(name: &Captures<'_>) -> Option<CalendarDate> {
    let part = |key: &str, short: &str| Some(name.name(key).or_else(|| name.name(short))?.as_str());
    let (year, month, day) = (
        part("year", "year")?,
        part("month", "i_month")?,
        part("day", "i_day")?,
    );
    CalendarDate::parse(&format!("{year}-{month:0>2}-{day:0>2}"))
}

/// The slug that Hexo makes of a name of another form (`slugize` of its package hexo-util), for names
/// in ASCII.
fn slug_of(path: &str) -> Option<String> {
    let parts = path.split(|character: char| !character.is_ascii_alphanumeric());
    let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    path.is_ascii().then(|| parts.join("-"))
}
