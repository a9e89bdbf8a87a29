//! Starlight, the documentation theme of Astro: its slugs.

use crate::generators::{Conventions, OwnConfig, SlugSubject, github_slug};

pub(super) struct Astro;

impl Conventions for Astro {
    fn slug(&self, _: &OwnConfig, name: &str, _: SlugSubject) -> Option<String> {
        Some(github_slug(name))
    }
}
