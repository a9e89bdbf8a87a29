//! The URLs of a page's images: one for each `<img>`.
//!
//! Google reads the `src` of `<img>`, also inside `<picture>`, and not the other sources of an image,
//! which are the same picture in other sizes and formats. An image that scripts load later has its
//! URL in `data-src`, often with a `data:` URL as `src`: such images are what a sitemap adds to what
//! the crawler sees. Only an image without any of these is taken from `srcset`.

use std::collections::HashSet;

use super::attributes::Tag;

/// Attributes with the URL of an image, the first one first; the others are those of the scripts
/// lazysizes, vanilla-lazyload, Lozad and WP Rocket.
const URL_ATTRIBUTES: [&str; 4] = ["src", "data-src", "data-lazy-src", "data-original"];

/// Attributes with a list of URLs of an image in several sizes.
const SET_ATTRIBUTES: [&str; 3] = ["srcset", "data-srcset", "data-lazy-srcset"];

/// The images of a page that were seen so far.
#[derive(Default)]
pub(super) struct PageImages {
    seen: HashSet<String>,
    /// The best image of the first `<source>` in the current `<picture>`.
    source: Option<String>,
}

impl PageImages {
    /// Returns the URL of an `<img>`, unless it has none or was seen before.
    pub(super) fn of_img(&mut self, tag: Tag<'_>) -> Option<String> {
        let source = self.source.take();
        let url = URL_ATTRIBUTES.iter().find_map(|name| {
            let url = tag.value(name)?;
            is_image_url(&url).then(|| url.trim().to_owned())
        });
        let url = url.or_else(|| largest_of(tag)).or(source)?;
        self.first(&url)
    }

    /// Notes the image of a `<source>`, which counts if the `<img>` after it has none. The start of
    /// a `<picture>` ends the one before.
    pub(super) fn note_source(&mut self, tag: Tag<'_>) {
        if tag.is("picture") {
            self.source = None;
        } else if self.source.is_none() {
            self.source = largest_of(tag);
        }
    }

    /// Whether a `<source>` awaits its `<img>`.
    pub(super) fn has_source(&self) -> bool {
        self.source.is_some()
    }

    /// Returns a URL the first time that it is seen.
    pub(super) fn first(&mut self, url: &str) -> Option<String> {
        let is_new = is_image_url(url) && self.seen.insert(url.to_owned());
        is_new.then(|| url.to_owned())
    }
}

/// Whether an attribute names a file, not nothing or data in place of one.
fn is_image_url(url: &str) -> bool {
    let url = url.trim();
    let scheme = url.get(..5);
    !url.is_empty() && !scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Returns the largest image in the sets of a tag.
fn largest_of(tag: Tag<'_>) -> Option<String> {
    SET_ATTRIBUTES
        .iter()
        .find_map(|name| largest_in(&tag.value(name)?).map(str::to_owned))
}

/// Returns the URL with the greatest width or density in a `srcset`, the first of equals (HTML
/// standard, "parse a srcset attribute").
fn largest_in(srcset: &str) -> Option<&str> {
    let mut largest: Option<(&str, f64)> = None;
    let mut rest = srcset;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let end = rest
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(rest.len());
        let (url, after) = rest.split_at(end);
        if url.is_empty() {
            return largest.map(|(url, _)| url);
        }
        // A comma at the end of a URL separates it from the next; one inside belongs to it.
        let trimmed = url.trim_end_matches(',');
        let (descriptor, next) = if trimmed.len() < url.len() {
            ("", after)
        } else {
            after.split_once(',').unwrap_or((after, ""))
        };
        rest = next;
        let size = descriptor
            .trim()
            .trim_end_matches(['w', 'x'])
            .parse()
            .unwrap_or(1.0);
        if is_image_url(trimmed) && largest.is_none_or(|(_, before)| before < size) {
            largest = Some((trimmed, size));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_image_of_a_srcset_is_taken() {
        let check = |srcset: &str, expected: Option<&str>| {
            assert_eq!(largest_in(srcset), expected, "{srcset}");
        };
        check("a.png", Some("a.png"));
        check("a.png 480w, b.png 1024w , c.png 800w", Some("b.png"));
        check("a.png, b.png 2x, c.png 1.5x", Some("b.png"));
        check(
            "/i/w=1,h=2/a.png 1x,/i/w=3,h=4/a.png 3x",
            Some("/i/w=3,h=4/a.png"),
        );
        check("a.png,b.png", Some("a.png,b.png"));
        check("data:image/gif;base64,AA 1x, b.png 1x", Some("b.png"));
        check(" , ", None);
    }
}
