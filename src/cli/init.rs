//! `waypost init`: writes commented settings for a site, and prints the step for its pipeline.
//!
//! Settings are never overwritten, and no other file is changed. Only a base URL from a flag or an
//! environment variable is set in the settings, because the next command would not find it.

use super::build::prepare;
use super::command_error::CommandError;
use super::exit_code::EXIT_SUCCESS;
use super::init_settings::settings_text;
use super::init_steps::step_texts;
use super::opts::SiteArgs;
use super::printer::Printer;
use super::settings::detected;
use super::text_layout::summary;
use crate::config::SETTINGS_FILE;
use crate::publish::create_file;
use crate::site::LoadedSite;
use sitemaps::EntryExtent;
use sitemaps::site_paths::display_path;

pub(super) fn init(args: &SiteArgs, printer: &Printer) -> Result<u8, CommandError> {
    let loaded = LoadedSite::load(prepare(args)?, EntryExtent::Sample)?;
    let (site, output_dir) = (&loaded.site, loaded.output_dir());
    let base = loaded.base_url();
    let steps = step_texts(&loaded, base.as_ref().ok());
    site.tree.check()?;
    let found = detected(&loaded).map(|(label, text)| (label, vec![text]));
    printer.say(&summary(found));
    let text = settings_text(site, output_dir, &base);
    let file = site.root.join(SETTINGS_FILE);
    let exists = site.tree.exists(&file);
    site.tree.check()?;
    let name = display_path(&file);
    let settings = if exists {
        (
            "settings",
            vec![format!("{name} exists and is not changed")],
        )
    } else {
        create_file(&file, text.as_bytes())?;
        ("wrote", vec![name])
    };
    printer.say(&summary([settings]));
    Printer::text(&steps)?;
    Ok(EXIT_SUCCESS)
}
