//! The order of dates of a generator.

use crate::config::{LoadedSettings, SettingOrigin};
use crate::generators::Site;
use crate::settings::DateSource;

/// Follows the order of dates in the generator's settings, if they state one, or else that of its documentation,
/// in which a date in front matter overrides that of Git. Git and the page itself come last where the settings do
/// not name them; other keys of front matter do not count.
pub(super) fn follow_stated_order(site: &Site<'_>, loaded: &mut LoadedSettings) {
    let Some(generator) = site.generator else {
        return;
    };
    let stated = site.date_order();
    let (names, origin) = match site.config_file() {
        Some(file) if !stated.is_empty() => (stated, SettingOrigin::File(file.to_owned(), None)),
        _ if generator.lastmod_overrides_git => (
            generator.lastmod_keys.clone(),
            SettingOrigin::Generator(generator.title.clone()),
        ),
        _ => return,
    };
    let mut from: Vec<DateSource> = Vec::new();
    for name in names.into_iter().chain([":git".to_owned()]) {
        let source = match &*name {
            ":git" => DateSource::Git,
            ":filename" => DateSource::FileName,
            // In a clone, it is the time of the checkout.
            ":filemodtime" => continue,
            _ => DateSource::Key(name),
        };
        if !from.contains(&source) {
            from.push(source);
        }
    }
    from.push(DateSource::Page);
    loaded.set_date_order(from, &origin);
}
