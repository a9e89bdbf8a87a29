//! Extracts the videos for a video sitemap from a page's metadata: `VideoObject` in JSON-LD, else
//! `og:video`.
//!
//! Source: developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps.

use super::json_ld::{JsonLdObject, objects_of, parsed, text, url_text};
use page_signals::Metadata;
use site_paths::finding::{Finding, Subject, code};
use site_paths::{PageUrl, SitePath};
use sitemaps::Video;
use sitemaps::{LastMod, Now, ParsedDate};

/// Length limit of `<video:title>` in characters, by the schema.
const LONGEST_TITLE: usize = 100;

/// Length limit of `<video:description>` in characters.
const LONGEST_DESCRIPTION: usize = 2048;

/// Limit of `<video:duration>` in seconds: eight hours.
const LONGEST_DURATION: u32 = 28_800;

/// Extensions of video files. Without `og:video:type`, an `og:video` with another one is a player.
const VIDEO_FILES: [&str; 9] = [
    "mp4", "m4v", "webm", "ogv", "mov", "mpg", "mpeg", "avi", "mkv",
];

/// Videos of a page, complete and incomplete ones.
#[derive(Debug, Default, PartialEq)]
pub struct PageVideos {
    /// Complete videos, each once, in document order.
    pub complete: Vec<Video>,
    /// Names of the properties that each incomplete video lacks, as its page would write them.
    pub incomplete: Vec<Vec<&'static str>>,
}

/// Properties of a video, as stated by its page.
struct StatedVideo {
    title: Option<String>,
    description: Option<String>,
    thumbnail: Option<PageUrl>,
    content: Option<PageUrl>,
    player: Option<PageUrl>,
    duration: Option<u32>,
    published: Option<LastMod>,
}

/// Names of the required properties: title, description, thumbnail, and the video itself.
type PropertyNames = [&'static str; 4];

const IN_JSON_LD: PropertyNames = [
    "`name`",
    "`description`",
    "`thumbnailUrl`",
    "`contentUrl` or `embedUrl`",
];
const IN_TAGS: PropertyNames = [
    "`og:title`",
    "`og:description`",
    "`og:image`",
    "`og:video` with a valid URL",
];

/// Reads the videos of the page at this URL.
pub fn videos_of(metadata: &Metadata, page: &PageUrl, now: Now) -> PageVideos {
    let values = parsed(&metadata.json_ld);
    let mut objects = objects_of(&values, &|name| name == "VideoObject");
    // `{"@id": …}` alone refers to an object elsewhere.
    objects.retain(|object| object.keys().any(|key| !key.starts_with('@')));
    let mut videos = PageVideos::default();
    for object in &objects {
        videos.add(StatedVideo::in_json_ld(object, page, now), IN_JSON_LD);
    }
    if objects.is_empty()
        && metadata
            .meta(&["og:video", "og:video:url", "og:video:secure_url"])
            .is_some()
    {
        videos.add(StatedVideo::in_tags(metadata, page), IN_TAGS);
    }
    videos
}

impl PageVideos {
    fn add(&mut self, stated: StatedVideo, names: PropertyNames) {
        match stated.into_video(names) {
            Ok(video) => {
                let is_same = |known: &Video| {
                    (&known.content, &known.player) == (&video.content, &video.player)
                };
                if !self.complete.iter().any(is_same) {
                    self.complete.push(video);
                }
            }
            Err(lacking) => self.incomplete.push(lacking),
        }
    }
}

impl StatedVideo {
    fn in_json_ld(object: &JsonLdObject, page: &PageUrl, now: Now) -> Self {
        let url = |key: &str| url_text(object, key).and_then(|href| other_than(page, href));
        let date = |text: String| match LastMod::parse(&text, now) {
            ParsedDate::Exact(date) | ParsedDate::ZoneAssumed(date) => Some(date),
            ParsedDate::Invalid(_) | ParsedDate::Unreadable => None,
        };
        Self {
            title: text(object, "name").or_else(|| text(object, "headline")),
            description: text(object, "description"),
            thumbnail: url("thumbnailUrl").or_else(|| url("thumbnail")),
            content: url("contentUrl"),
            player: url("embedUrl"),
            duration: text(object, "duration").and_then(|text| seconds_of(&text)),
            published: text(object, "uploadDate").and_then(date),
        }
    }

    fn in_tags(metadata: &Metadata, page: &PageUrl) -> Self {
        let url = |names: &[&str]| metadata.meta(names).and_then(|href| other_than(page, href));
        let video = url(&["og:video:secure_url", "og:video:url", "og:video"]);
        let kind = metadata.meta(&["og:video:type"]).unwrap_or_default();
        let is_file = kind.starts_with("video/")
            || (kind.is_empty() && video.as_ref().is_some_and(is_video_file));
        let (content, player) = if is_file {
            (video, None)
        } else {
            (None, video)
        };
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Self {
            title: owned(metadata.meta(&["og:title"])).or_else(|| metadata.title.clone()),
            description: owned(metadata.meta(&["og:description", "description"])),
            thumbnail: url(&["og:image:secure_url", "og:image:url", "og:image"]),
            content,
            player,
            duration: None,
            published: None,
        }
    }

    /// Returns the video if it is complete, else the names of the missing properties.
    fn into_video(self, names: PropertyNames) -> Result<Video, Vec<&'static str>> {
        let has_video = self.content.is_some() || self.player.is_some();
        let there = [
            self.title.is_some(),
            self.description.is_some(),
            self.thumbnail.is_some(),
            has_video,
        ];
        let (Some(title), Some(description), Some(thumbnail), true) =
            (self.title, self.description, self.thumbnail, has_video)
        else {
            return Err(names
                .into_iter()
                .zip(there)
                .filter(|(_, there)| !there)
                .map(|(name, _)| name)
                .collect());
        };
        Ok(Video {
            thumbnail,
            title: cut(title, LONGEST_TITLE),
            description: cut(description, LONGEST_DESCRIPTION),
            content: self.content,
            player: self.player,
            duration: self.duration,
            published: self.published,
        })
    }
}

/// Resolves a URL, unless it is the page's own, which is neither a file nor a player.
fn other_than(page: &PageUrl, href: &str) -> Option<PageUrl> {
    page.resolve(href).ok().filter(|url| url != page)
}

fn is_video_file(url: &PageUrl) -> bool {
    let path = url.path_and_query().split('?').next().unwrap_or_default();
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    VIDEO_FILES
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

/// Cuts a text to at most `longest` characters, ending in an ellipsis if any are cut.
fn cut(text: String, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text;
    }
    let kept: String = text.chars().take(longest - 1).collect();
    format!("{}…", kept.trim_end())
}

/// Parses an ISO 8601 duration (`PT1H2M3S`) to seconds; `None` if it is malformed or outside the
/// range of a sitemap.
fn seconds_of(text: &str) -> Option<u32> {
    let (mut seconds, mut number, mut is_time) = (0_u32, String::new(), false);
    for letter in text.strip_prefix('P')?.chars() {
        let unit = match letter {
            '0'..='9' | '.' => {
                number.push(letter);
                continue;
            }
            'T' if !is_time && number.is_empty() => {
                is_time = true;
                continue;
            }
            'D' if !is_time => 86_400,
            'H' if is_time => 3_600,
            'M' if is_time => 60,
            'S' if is_time => 1,
            _ => return None,
        };
        let count: u32 = number.split('.').next()?.parse().ok()?;
        seconds = seconds.checked_add(count.checked_mul(unit)?)?;
        number.clear();
    }
    (number.is_empty() && (1..=LONGEST_DURATION).contains(&seconds)).then_some(seconds)
}

/// Reports a video that lacks properties.
pub(crate) fn video_lacks(file: &SitePath, lacking: &[&str]) -> Finding {
    let message = format!(
        "a video of `{file}` has no {}, so it is not written",
        lacking.join(", no ")
    );
    Finding::new(
        code::VIDEO_INCOMPLETE,
        Subject::Page(file.clone(), None),
        message,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_parsed_to_seconds() {
        let check =
            |text: &str, expected: Option<u32>| assert_eq!(seconds_of(text), expected, "{text}");
        check("PT1M33S", Some(93));
        check("P0DT1H0M2.5S", Some(3_602));
        check("PT8H", Some(28_800));
        check("PT8H1S", None);
        check("PT0S", None);
        check("P1M", None);
        check("PT5", None);
        check("1:33", None);
        check("PT99999999999S", None);
        check("", None);
    }

    #[test]
    fn a_long_title_is_cut_by_characters() {
        assert_eq!(cut("é".repeat(100), 100), "é".repeat(100));
        assert_eq!(
            cut(format!("{} b", "é".repeat(98)), 99),
            format!("{}…", "é".repeat(98))
        );
    }
}
