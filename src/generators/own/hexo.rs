//! URLs of Hexo's posts, by the setting `permalink`.

use crate::generators::{CalendarDate, Conventions, PredictionInput, UrlPath, filled};

/// The content directory of posts.
const POSTS: &str = "source/_posts";

/// Length of a date with a time but without a zone: `2024-05-06 07:08:09`.
const WITHOUT_ZONE: usize = 19;

pub(super) struct Hexo;

impl Conventions for Hexo {
    fn paths(&self, content: &PredictionInput<'_>) -> Vec<UrlPath> {
        content
            .stated_paths(|_| None)
            .unwrap_or_else(|| match &*content.root.path {
                // Without a path if a token has no known value.
                POSTS => path_of(content).into_iter().collect(),
                _ => self.paths_by_name(content, None),
            })
    }
}

fn path_of(content: &PredictionInput<'_>) -> Option<UrlPath> {
    let config = content.config;
    // With another form of names, Hexo takes title and date from those.
    let names = config.text("new_post_name").unwrap_or(":title.md");
    if !names.starts_with(":title.") {
        return None;
    }
    let title = [&content.name.dirs[..], &[content.name.stem]]
        .concat()
        .join("/");
    // A zone may move the date to another day in the time zone of the settings.
    let date = content
        .front_matter
        .date(["date"])
        .filter(|date| date.trim().len() <= WITHOUT_ZONE)
        .and_then(|date| CalendarDate::parse(&date));
    let pattern = config.text("permalink");
    let path = filled(
        pattern.unwrap_or(":year/:month/:day/:title/"),
        |token| match token {
            "title" => Some(title.clone()),
            "name" => Some(content.name.stem.to_owned()),
            token => date?.part(token),
        },
    )?;
    let trimmed = path.trim_matches('/').to_owned();
    Some(if path.ends_with('/') {
        UrlPath::Folder(trimmed)
    } else {
        UrlPath::File(trimmed)
    })
}
