//! Starlight, the documentation theme of Astro: its slugs.

use crate::generators::conventions::Conventions;
use crate::generators::own_config::OwnConfig;
use crate::generators::url_path::{SlugSubject, github_slug};

#[derive(Debug)]
pub(super) struct Astro;

impl Conventions for Astro {
    fn slug(&self, _: &OwnConfig, name: &str, _: SlugSubject) -> Option<String> {
        Some(github_slug(name))
    }
}
