//! `waypost init`: writes commented settings for a site, and prints the step for its pipeline.
//!
//! Settings are never overwritten, and no other file is changed. Only a base URL from a flag or an
//! environment variable is set in the settings, because the next command would not find it.

use super::build::prepare;
use super::command_error::CommandError;
use super::exit_code::EXIT_SUCCESS;
use super::init_context::SiteContext;
use super::init_settings::{HasHistory, SettingsText, settings_text};
use super::opts::{InitArgs, RunArgs, SiteArgs};
use super::printer::{Printer, row};
use crate::config::SETTINGS_FILE;
use crate::publish::create_file;
use crate::site::{LoadedSite, RunError};
use page_sources::generator::Site;
use site_paths::display_path;

pub(super) fn init(args: &InitArgs, printer: &Printer) -> Result<u8, CommandError> {
    let (manifest, request) = prepare(&site_args(args))?;
    let loaded = LoadedSite::load(request, &manifest)?;
    let (site, output_dir) = (&loaded.site, loaded.output_dir());
    let base = loaded.base_url();
    let found = SiteContext::of(site, loaded.pipelines(), &manifest);
    site.failures.check().map_err(RunError::from)?;
    printer.say(&found.summary(site, output_dir, &base));
    let table = args.table.then(|| table_of(site)).transpose()?;
    let text = SettingsText {
        table: table.as_deref(),
        has_history: if found.repository.is_some() {
            HasHistory::Yes
        } else {
            HasHistory::No
        },
    };
    let text = settings_text(site, output_dir, &base, &text);
    let steps = found.step_texts();
    if table.is_some() {
        // The user appends stdout to a file.
        Printer::text(&text)?;
        printer.say(&format!("\n{}", steps.trim_end()));
    } else {
        write_settings(site, &text, printer)?;
        Printer::text(&steps)?;
    }
    Ok(EXIT_SUCCESS)
}

/// The table for waypost in the generator's own settings, which must not exist yet.
fn table_of(site: &Site<'_>) -> Result<String, CommandError> {
    let is_toml = site
        .config_file()
        .is_some_and(|file| file.extension().is_some_and(|end| end == "toml"));
    let table = site
        .generator
        .and_then(|generator| generator.rules_table.clone());
    let Some(table) = table.filter(|_| is_toml) else {
        return Err(CommandError::NoTable);
    };
    if site.config.get(&table).is_some() {
        let file = display_path(site.config_file().unwrap_or(&site.root));
        return Err(CommandError::TableExists { file, table });
    }
    Ok(table)
}

/// Creates `waypost.toml`, unless it exists.
fn write_settings(site: &Site<'_>, text: &str, printer: &Printer) -> Result<(), CommandError> {
    let file = site.root.join(SETTINGS_FILE);
    let exists = site.failures.exists(&file);
    site.failures.check().map_err(RunError::from)?;
    let mut line = String::new();
    if exists {
        let text = format!("{} exists and is not changed", display_path(&file));
        row(&mut line, "settings", &text);
    } else {
        create_file(&file, text.as_bytes())?;
        row(&mut line, "wrote", &display_path(&file));
    }
    printer.say(line.trim_end());
    Ok(())
}

/// The site that the arguments describe.
fn site_args(args: &InitArgs) -> SiteArgs {
    SiteArgs {
        site: args.site.clone(),
        output_dir: args.output_dir.clone(),
        base_url: args.base_url.clone(),
        config: None,
        source_map: Vec::new(),
        accept: Vec::new(),
        manifest: None,
        host_rules: None,
        run: RunArgs {
            threads: None,
            quiet: args.quiet,
            verbose: false,
        },
    }
}
