//! The order of dates that Hugo's settings state.

use crate::settings::{DateSource, LastmodSettings};
use page_sources::generator::Site;

/// Keys of a page's publication, in lower case.
const PUBLISHED: [&str; 4] = ["date", "publishdate", "pubdate", "published"];

/// Follows the order of `frontmatter.lastmod` in Hugo's settings, if they state one: keys of front
/// matter, `:git` and `:default`, which begins with `:git` (`resources/page/pagemeta` of Hugo). What it
/// does not name comes last, in the usual order. `:fileModTime` is passed over: in a clone, it is the
/// time of the checkout.
pub(super) fn follow_stated_order(site: &Site<'_>, settings: &mut LastmodSettings) {
    let key = site.generator.and_then(|known| known.own.date_order_key);
    let Some(key) = key.filter(|key| site.config.get(key).is_some()) else {
        return;
    };
    let stated = site.config.texts(key);
    let usual = [DateSource::Git, DateSource::FrontMatter, DateSource::Page];
    let names = stated.iter().map(|name| name.to_ascii_lowercase());
    let mut before_git = names.take_while(|name| name != ":git" && name != ":default");
    settings.modifications_first = !before_git.any(|name| PUBLISHED.contains(&&*name));
    let ordered = stated
        .into_iter()
        .flat_map(|name| match &*name.to_ascii_lowercase() {
            ":git" => vec![DateSource::Git],
            ":filemodtime" => Vec::new(),
            ":default" => usual.to_vec(),
            _ => vec![DateSource::FrontMatter],
        });
    let mut order = Vec::new();
    for source in ordered.chain(usual) {
        if !order.contains(&source) {
            order.push(source);
        }
    }
    settings.from = order;
}
