//! Starlight, the documentation theme of Astro: its slugs.

use crate::generator::conventions::Conventions;
use crate::generator::own_config::OwnConfig;
use crate::generator::slug::{self, SlugSubject};

#[derive(Debug)]
pub(super) struct Astro;

impl Conventions for Astro {
    fn slug(&self, _: &OwnConfig, name: &str, _: SlugSubject) -> Option<String> {
        Some(slug::github(name))
    }
}
