//! What single generators do differently from all others: code that the manifest cannot state.
//!
//! Each generator has at most one entry here, under its name. The shared code asks for a field of
//! [`OwnRules`], never for the name of a generator.

mod astro;
mod hexo;
mod hugo;
mod hugo_modules;
mod hugo_names;
mod hugo_permalinks;
mod jekyll;
mod mdbook;
mod mkdocs;
mod pelican;
mod sphinx;
mod vitepress;
mod zola;

use super::own_rules::{OwnRules, SourceList};
use super::slug;

/// The rules of the generator with this name.
pub(super) fn rules_of(name: &str) -> OwnRules {
    match name {
        "astro" => astro::rules(),
        "docusaurus" => OwnRules {
            source_list: Some(SourceList {
                file: ".docusaurus",
                remedy: "the build lists them in `.docusaurus`: run waypost where the site is \
                         built",
            }),
            has_lists: true, // its blog
            excluded_key: Some("presets.0.1.sitemap.ignorePatterns"),
            ..OwnRules::default()
        },
        "eleventy" => OwnRules {
            source_list: Some(SourceList {
                file: "pages.json",
                remedy: "`npx @11ty/eleventy --to=json > pages.json` lists the sources, and \
                         waypost reads that list",
            }),
            index_has_name_of_dir: true,
            ..OwnRules::default()
        },
        "hexo" => hexo::rules(),
        "hugo" => hugo::rules(),
        "jekyll" => jekyll::rules(),
        "mdbook" => mdbook::rules(),
        "mkdocs" => mkdocs::rules(),
        "nuxt" => OwnRules {
            slug: Some(|_, name, _| slug::github(slug::without_number(name))),
            ..OwnRules::default()
        },
        "pelican" => pelican::rules(),
        "sphinx" => sphinx::rules(),
        "vitepress" => vitepress::rules(),
        "zensical" => OwnRules {
            builds_one_index: true,
            ..OwnRules::default()
        },
        "zola" => zola::rules(),
        _ => OwnRules::default(),
    }
}
