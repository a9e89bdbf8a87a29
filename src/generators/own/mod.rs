//! The generators that compute something, each in a file of its own, which alone has its name.

mod astro;
mod hexo;
mod hugo;
mod jekyll;
mod mdbook;
mod mkdocs;
mod nuxt;
mod pelican;
mod sphinx;
mod vitepress;
mod zola;

use super::conventions::{Conventions, TableAlone};

/// The conventions of the generator with this name.
pub(super) fn conventions_of(name: &str) -> &'static dyn Conventions {
    match name {
        "astro" => &astro::Astro,
        "hexo" => &hexo::Hexo,
        "hugo" => &hugo::Hugo,
        "jekyll" => &jekyll::Jekyll,
        "mdbook" => &mdbook::Mdbook,
        "mkdocs" => &mkdocs::Mkdocs,
        "nuxt" => &nuxt::Nuxt,
        "pelican" => &pelican::Pelican,
        "sphinx" => &sphinx::Sphinx,
        "vitepress" => &vitepress::Vitepress,
        "zola" => &zola::Zola,
        _ => &TableAlone,
    }
}
