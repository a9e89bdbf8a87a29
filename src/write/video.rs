//! `<video:video>`: the videos of a page within its entry. Pure.

use std::fmt::Write;

use super::extras::Video;
use super::xml::{push_escaped, push_text};
use crate::date::DateFormat;

/// What a file that lists videos declares.
pub(super) const NAMESPACE: &str = " xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\"";

/// Appends the videos, their elements in the schema's order.
pub(super) fn push_videos(videos: &[Video], out: &mut String) {
    for video in videos {
        out.push_str("<video:video><video:thumbnail_loc>");
        push_escaped(video.thumbnail.as_str(), out);
        out.push_str("</video:thumbnail_loc><video:title>");
        push_text(&video.title, out);
        out.push_str("</video:title><video:description>");
        push_text(&video.description, out);
        out.push_str("</video:description>");
        for (name, url) in [("content_loc", &video.content), ("player_loc", &video.player)] {
            if let Some(url) = url {
                write!(out, "<video:{name}>").expect(TAKES_ALL);
                push_escaped(url.as_str(), out);
                write!(out, "</video:{name}>").expect(TAKES_ALL);
            }
        }
        if let Some(seconds) = video.duration {
            write!(out, "<video:duration>{seconds}</video:duration>").expect(TAKES_ALL);
        }
        if let Some(date) = video.published {
            let date = date.to_text(DateFormat::Datetime);
            write!(out, "<video:publication_date>{date}</video:publication_date>").expect(TAKES_ALL);
        }
        out.push_str("</video:video>");
    }
}

const TAKES_ALL: &str = "a string takes all text";

/// How many bytes `push_videos` appends.
pub(super) fn videos_len(videos: &[Video]) -> usize {
    let mut text = String::new();
    push_videos(videos, &mut text);
    text.len()
}
