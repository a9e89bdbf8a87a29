//! The order of dates that Hugo's settings state.

use crate::config::LoadedSettings;
use crate::generators::Site;
use crate::settings::DateSource;

/// Follows the order of dates in the generator's settings, if they state one. Git and the page itself
/// come last where it does not name them; a key of front matter that it does not name is no such date.
pub(super) fn follow_stated_order(site: &Site<'_>, loaded: &mut LoadedSettings) {
    let stated = site.date_order();
    let Some(file) = site.config_file().filter(|_| !stated.is_empty()) else {
        return;
    };
    let mut order: Vec<DateSource> = Vec::new();
    for name in stated {
        match &*name {
            ":git" => order.push(DateSource::Git),
            ":filename" => order.push(DateSource::FileName),
            // In a clone, it is the time of the checkout.
            ":filemodtime" => {}
            _ => order.push(DateSource::Key(name)),
        }
    }
    order.extend([DateSource::Git, DateSource::Page]);
    let mut from: Vec<DateSource> = Vec::new();
    for source in order {
        if !from.contains(&source) {
            from.push(source);
        }
    }
    loaded.explain_dates(&from, file);
    loaded.settings.lastmod.from = from;
}
