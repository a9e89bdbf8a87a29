//! The URLs of a page's images: one for each `<img>`.
//!
//! Google reads the `src` of `<img>`, also inside `<picture>`, and not the other sources of an image
//! (developers.google.com, "Google images best practices"), which are the same picture in other sizes
//! and formats. An image that scripts load later has its URL in `data-src`, often with a `data:` URL
//! as `src`: such images are what a sitemap adds to what the crawler sees.

use std::collections::HashSet;

use super::attributes::Tag;

/// Attributes with the URL of an image, the first one first; the others are those of the scripts
/// lazysizes, vanilla-lazyload, Lozad and WP Rocket.
const URL_ATTRIBUTES: [&str; 4] = ["src", "data-src", "data-lazy-src", "data-original"];

/// The images of a page that were seen so far.
#[derive(Default)]
pub(super) struct PageImages(HashSet<String>);

impl PageImages {
    /// Returns the URL of an `<img>`, unless it has none or was seen before.
    pub(super) fn of_img(&mut self, tag: Tag<'_>) -> Option<String> {
        let mut urls = URL_ATTRIBUTES.iter().filter_map(|name| tag.value(name));
        let url = urls.find(|url| is_image_url(url))?;
        self.first(url.trim())
    }

    /// Returns a URL the first time that it is seen.
    pub(super) fn first(&mut self, url: &str) -> Option<String> {
        let is_new = is_image_url(url) && self.0.insert(url.to_owned());
        is_new.then(|| url.to_owned())
    }
}

/// Whether an attribute names a file, not nothing or data in place of one.
fn is_image_url(url: &str) -> bool {
    let url = url.trim();
    let scheme = url.get(..5);
    !url.is_empty() && !scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}
