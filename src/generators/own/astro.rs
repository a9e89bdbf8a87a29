//! Starlight, the documentation theme of Astro: its slugs.

use crate::generators::conventions::Conventions;
use crate::generators::own_config::OwnConfig;
use crate::generators::slug::{self, SlugSubject};

#[derive(Debug)]
pub(super) struct Astro;

impl Conventions for Astro {
    fn slug(&self, _: &OwnConfig, name: &str, _: SlugSubject) -> Option<String> {
        Some(slug::github(name))
    }
}
