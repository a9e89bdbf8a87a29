//! Writes `<video:video>` elements: the videos of a page, within its entry.

use super::extras::Video;
use super::xml::push_element;
use crate::lastmod::DateFormat;

/// Namespace declaration of a file that lists videos.
pub(super) const NAMESPACE: &str =
    " xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\"";

/// Appends the videos, with their elements in the schema's order.
pub(super) fn push_videos(videos: &[Video], out: &mut String) {
    for video in videos {
        out.push_str("<video:video>");
        push_element("video:thumbnail_loc", video.thumbnail.as_str(), out);
        push_element("video:title", &video.title, out);
        push_element("video:description", &video.description, out);
        for (name, url) in [
            ("video:content_loc", &video.content),
            ("video:player_loc", &video.player),
        ] {
            if let Some(url) = url {
                push_element(name, url.as_str(), out);
            }
        }
        if let Some(seconds) = video.duration {
            push_element("video:duration", &seconds.to_string(), out);
        }
        if let Some(date) = video.published {
            push_element(
                "video:publication_date",
                &date.to_text(DateFormat::Datetime),
                out,
            );
        }
        out.push_str("</video:video>");
    }
}

/// Number of bytes that `push_videos` appends.
pub(super) fn videos_len(videos: &[Video]) -> usize {
    let mut text = String::new();
    push_videos(videos, &mut text);
    text.len()
}
