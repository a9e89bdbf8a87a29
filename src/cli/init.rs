//! `waypost init`: writes commented settings for a site and prints the step for its pipeline.
//!
//! No file is overwritten. The settings are defaults and examples in comments; only a base URL from
//! a flag or an environment variable is set, because the next command would not find it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::build::prepare;
use super::command_error::CommandError;
use super::exit_code::EXIT_SUCCESS;
use super::opts::InitArgs;
use super::printer::{FAINT, Printer, row, styled};
use crate::config::SETTINGS_FILE;
use crate::publish::create_file;
use crate::site::{BaseUrlOrigin, FoundBaseUrl, LoadedSite, RunError};
use page_sources::generator::{Generator, Manifest, PipelineSetup, Pipelines, Site};
use site_paths::{Hint, display_path};

/// The most common settings, each the default or an example. `{table}` is replaced with the name of
/// the enclosing table.
const SETTINGS: &str = r#"
# [{table}lastmod]
# from = ["git", "front_matter", "page"]  # date sources in order; also "mtime"; [] writes no dates
# ignore_revs_file = ".git-blame-ignore-revs"  # commits to ignore, such as reformatting

# [{table}sitemap]
# gzip = "off"          # "also" writes sitemap.xml.gz as well
# images = false        # true lists the pages' images

# [{table}levels]
# canonical-missing-page = "deny"  # fail the build on it; accepts any finding or reason

# [[{table}rule]]
# match = "blog/**"     # matches `blog/a/index.html` and `/blog/a/`
# group = "blog"        # a separate sitemap: sitemap-blog.xml

# [[{table}rule]]
# match = "drafts/**"
# exclude = true
"#;

pub(super) fn init(args: &InitArgs, printer: &Printer) -> Result<u8, CommandError> {
    let (manifest, request) = prepare(&args.common)?;
    let loaded = LoadedSite::load(request, &manifest)?;
    let (site, output_dir) = (&loaded.site, loaded.output_dir());
    let base = loaded.base_url();
    let found = SiteContext::of(site, loaded.pipelines(), &manifest);
    site.failures.check().map_err(RunError::from)?;
    printer.say(&found.summary(site, output_dir, &base));
    if args.table {
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
        Printer::text(&settings(site, output_dir, &base, &found, Some(&table)))?;
        // The user appends stdout to the file, so the step goes to stderr.
        printer.say(&format!(
            "\n{}",
            found.step(site.generator, &manifest).trim_end()
        ));
    } else {
        let file = site.root.join(SETTINGS_FILE);
        if site.failures.exists(&file) {
            return Err(CommandError::SettingsExist(display_path(&file)));
        }
        create_file(
            &file,
            settings(site, output_dir, &base, &found, None).as_bytes(),
        )?;
        let mut wrote = String::new();
        row(&mut wrote, "wrote", &display_path(&file));
        printer.say(&wrote);
        Printer::text(&found.step(site.generator, &manifest))?;
    }
    Ok(EXIT_SUCCESS)
}

/// The repository and the pipelines of a site.
struct SiteContext<'m> {
    repository: Option<PathBuf>,
    setups: Vec<&'m PipelineSetup>,
}

impl<'m> SiteContext<'m> {
    fn of(site: &Site<'_>, pipelines: Pipelines<'_>, manifest: &'m Manifest) -> Self {
        let failures = &site.failures;
        let root = failures.resolved(&site.root);
        let root = root.unwrap_or_else(|| site.root.clone());
        let repository = root
            .ancestors()
            .find(|dir| failures.exists(&dir.join(".git")))
            .map(Path::to_path_buf);
        let has = |file: &String| {
            failures.exists(&root.join(file))
                || repository
                    .as_ref()
                    .is_some_and(|repository| failures.exists(&repository.join(file)))
        };
        let is_current = |title: &str| {
            pipelines
                .current()
                .is_some_and(|pipeline| pipeline.title == title)
        };
        let of_this =
            |setup: &&PipelineSetup| is_current(&setup.title) || setup.files.iter().any(has);
        let setups = manifest.setup.values().filter(of_this).collect();
        Self { repository, setups }
    }

    /// Summarizes what was found, one line each.
    fn summary(
        &self,
        site: &Site<'_>,
        output_dir: &Path,
        base: &Result<FoundBaseUrl, RunError>,
    ) -> String {
        let mut out = String::new();
        let mut row = |label: &str, text: &str| row(&mut out, label, text);
        row(
            "generator",
            site.generator
                .map_or("none: a directory of HTML files", |known| &known.title),
        );
        row("output", &display_path(output_dir));
        match base {
            Ok(base) => row(
                "base URL",
                &format!(
                    "{} {}",
                    base.url,
                    styled(FAINT, format!("from {}", base.origin))
                ),
            ),
            Err(fault @ RunError::Discover(_)) => row("base URL", &fault.to_string()),
            Err(fault) => row(
                "base URL",
                &fault.hint().unwrap_or_else(|| fault.to_string().into()),
            ),
        }
        let repository = self.repository.as_deref().map(display_path);
        row(
            "history",
            repository
                .as_deref()
                .unwrap_or("no git repository, so no dates from Git"),
        );
        let titles: Vec<&str> = self
            .setups
            .iter()
            .map(|setup| setup.title.as_str())
            .collect();
        row(
            "pipeline",
            &if titles.is_empty() {
                "none found".to_owned()
            } else {
                titles.join(", ")
            },
        );
        out.truncate(out.trim_end().len());
        out
    }

    /// The build step for each pipeline that was found; if there is none, only the command.
    fn step(&self, generator: Option<&Generator>, manifest: &Manifest) -> String {
        // The build command of a directory of HTML files is unknown.
        let build = generator.and_then(|generator| manifest.build.get(&generator.name));
        let before = build.map_or(String::new(), |build| format!("{build} && "));
        if self.setups.is_empty() {
            return format!("# run waypost as the last step of the build:\n{before}waypost\n");
        }
        let steps = self.setups.iter().map(|setup| {
            let snippet = setup.snippet.trim().replace("BUILD && ", &before);
            format!("# {}: in {}\n{snippet}\n", setup.title, setup.place)
        });
        steps.collect::<Vec<_>>().join("\n")
    }
}

/// The text of the settings; `table` is their table in the generator's own file.
fn settings(
    site: &Site<'_>,
    output_dir: &Path,
    base: &Result<FoundBaseUrl, RunError>,
    found: &SiteContext<'_>,
    table: Option<&str>,
) -> String {
    let generator = site
        .generator
        .map_or("a directory of HTML files", |generator| &generator.title);
    let history = if found.repository.is_some() {
        "in a git repository"
    } else {
        "outside a git repository"
    };
    let (needed, base_url) = base_url_line(base);
    let mut out = format!(
        "# Settings of waypost for {generator} {history}. {needed} line is a default or an\n\
         # example, in comments. `waypost explain --settings` shows all settings and origins.\n\n"
    );
    if let Some(table) = table {
        writeln!(out, "[{table}]").expect("writing to a string cannot fail");
    }
    writeln!(out, "{base_url}").expect("writing to a string cannot fail");
    let output = output_dir.strip_prefix(&site.root).unwrap_or(output_dir);
    if !output.as_os_str().is_empty() {
        writeln!(out, "# output_dir = {:?}", output.display().to_string())
            .expect("writing to a string cannot fail");
    }
    out + &SETTINGS.replace(
        "{table}",
        &table.map(|table| format!("{table}.")).unwrap_or_default(),
    )
}

/// The words on required settings, and the line for the base URL.
fn base_url_line(base: &Result<FoundBaseUrl, RunError>) -> (&'static str, String) {
    match base {
        Ok(FoundBaseUrl {
            url,
            origin: origin @ BaseUrlOrigin::User(_),
        }) => (
            "Only `base_url` is set: any other",
            format!("base_url = \"{url}\"  # from {origin}"),
        ),
        Ok(FoundBaseUrl { url, origin }) => (
            "No setting is required: each",
            format!("# base_url = \"{url}\"  # found in {origin}"),
        ),
        Err(_) => (
            "Only `base_url` is required: any other",
            "# base_url = \"https://example.com/\"  # required: no base URL was found".to_owned(),
        ),
    }
}
