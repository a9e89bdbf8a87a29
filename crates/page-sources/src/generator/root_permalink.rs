//! URL patterns of the pages of one content directory, such as Hexo's posts.

use super::calendar::CalendarDate;
use super::convention::ConventionInput;
use super::own_config::OwnConfig;
use super::profile::RootPermalink;
use super::url_path::UrlPath;
use super::url_pattern::UrlPattern;

/// Length of a date with a time but without a zone: `2024-05-06 07:08:09`.
const WITHOUT_ZONE: usize = 19;

impl RootPermalink {
    /// The URL path of a page by the pattern in the settings; `None` if a token has no known value.
    pub(super) fn url_path(
        &self,
        config: &OwnConfig,
        content: &ConventionInput<'_>,
    ) -> Option<UrlPath> {
        let pattern = config.text(&self.key).unwrap_or(&self.default);
        let date = content.front_matter.date([&self.date]);
        // A zone may move the date to another day in the time zone of the settings.
        let date = date.filter(|date| date.trim().len() <= WITHOUT_ZONE);
        let date = date.and_then(|date| CalendarDate::parse(&date));
        let dated = |format: &str| Some(date?.format(format));
        let mut path = content.name.dirs.clone();
        path.push(content.name.stem);
        let filled = UrlPattern::parse(pattern).fill(|token, _| match token {
            "year" => dated("%Y"),
            "month" => dated("%m"),
            "i_month" => dated("%-m"),
            "day" => dated("%d"),
            "i_day" => dated("%-d"),
            "title" => Some(path.join("/")),
            "name" => Some(content.name.stem.to_owned()),
            _ => None,
        })?;
        let trimmed = filled.trim_matches('/').to_owned();
        Some(if filled.ends_with('/') {
            UrlPath::Folder(trimmed)
        } else {
            UrlPath::File(trimmed)
        })
    }
}
