//! Pages that a generator renders in several HTML formats, such as one for print: Hugo's
//! `outputFormats` and `outputs`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::content_keys::OutputFormatKeys;
use super::front_matter::FrontMatter;
use super::languages::Languages;
use super::own_config::OwnConfig;
use super::site::Site;
use site_paths::SitePath;

/// The HTML formats of a site besides the main one.
#[derive(Debug, Default)]
pub struct OutputFormats<'a> {
    formats: Vec<OutputFormat>,
    used_key: &'a str,
    /// Output directories of the languages, each with a trailing `/`.
    language_dirs: BTreeSet<String>,
}

#[derive(Debug)]
struct OutputFormat {
    name: String,
    /// The directory of its files, with a trailing `/`; empty if they are next to those of the main
    /// format.
    dir: String,
    /// The file name that takes the place of `index.html`.
    file_name: String,
    /// Whether the settings use it for all pages of some kind.
    is_used: bool,
}

/// The main format of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct MainFormat<'f> {
    /// The file in the main format.
    pub file: SitePath,
    /// The name of the other format.
    pub format: &'f str,
    is_used: bool,
}

impl Site<'_> {
    /// The HTML formats in the settings of the site.
    pub fn output_formats(&self) -> OutputFormats<'_> {
        let generator = self.generator;
        let keys =
            generator.and_then(|generator| Some((generator, generator.output_formats.as_ref()?)));
        let Some((generator, keys)) = keys else {
            return OutputFormats::default();
        };
        let languages = Languages::new(generator, &self.config);
        let prefixes = languages.codes().iter().map(|code| languages.prefix(code));
        OutputFormats {
            formats: formats_in(&self.config, keys),
            used_key: &keys.used_key,
            language_dirs: prefixes.chain([String::new()]).collect(),
        }
    }
}

impl OutputFormats<'_> {
    /// The files of which this may be another format.
    pub fn main_of(&self, page: &SitePath) -> Vec<MainFormat<'_>> {
        if self.formats.is_empty() {
            return Vec::new();
        }
        let places = self.language_dirs.iter().filter_map(|dir| {
            let below = page.as_bytes().strip_prefix(dir.as_bytes())?;
            Some((dir.as_bytes(), below))
        });
        let mains = places.flat_map(|(language_dir, below)| {
            self.formats.iter().filter_map(move |format| {
                let below = below.strip_prefix(format.dir.as_bytes())?;
                let dir = below.strip_suffix(format.file_name.as_bytes())?;
                let is_whole_name = dir.is_empty() || dir.ends_with(b"/");
                is_whole_name.then(|| MainFormat {
                    file: SitePath::new([language_dir, dir, b"index.html"].concat()),
                    format: &format.name,
                    is_used: format.is_used,
                })
            })
        });
        mains.collect()
    }

    /// Whether a page with this front matter is rendered in the other format.
    pub fn is_used(&self, main: &MainFormat<'_>, front_matter: Option<&FrontMatter>) -> bool {
        let own = front_matter.and_then(|own| own.value(self.used_key)?.as_array());
        own.map_or(main.is_used, |own| {
            names(own).any(|name| name == main.format)
        })
    }
}

/// The formats with the media type of HTML, except the main one. AMP is built in.
fn formats_in(config: &OwnConfig, keys: &OutputFormatKeys) -> Vec<OutputFormat> {
    let used: BTreeSet<String> = config
        .get(&keys.used_key)
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(|kinds| kinds.values().filter_map(Value::as_array))
        .flat_map(|list| names(list))
        .collect();
    let table = config.get(&keys.key).and_then(Value::as_object);
    let own = table.into_iter().flatten();
    let mut formats: Vec<_> = own
        .filter_map(|(name, format)| html_format(name, format))
        .collect();
    if formats.iter().all(|format| format.name != "amp") {
        formats.extend(html_format("amp", &Value::Null));
    }
    for format in &mut formats {
        format.is_used = used.contains(&format.name);
    }
    formats
}

fn html_format(name: &str, format: &Value) -> Option<OutputFormat> {
    let name = name.to_lowercase();
    let is_amp = name == "amp";
    let text = |wanted: &str| {
        let mut keys = format.as_object()?.iter();
        keys.find(|(key, _)| key.eq_ignore_ascii_case(wanted))?
            .1
            .as_str()
    };
    let default_type = if is_amp { "text/html" } else { "" };
    let is_html = text("mediaType").unwrap_or(default_type) == "text/html";
    let default_dir = if is_amp { "amp" } else { "" };
    let dir = text("path").unwrap_or(default_dir).trim_matches('/');
    let file_name = format!("{}.html", text("baseName").unwrap_or("index"));
    let is_another = !dir.is_empty() || file_name != "index.html";
    (is_html && is_another && name != "html").then(|| OutputFormat {
        name,
        dir: if dir.is_empty() {
            String::new()
        } else {
            format!("{dir}/")
        },
        file_name,
        is_used: false,
    })
}

/// The names in a list, in lower case, as Hugo compares them.
fn names(list: &[Value]) -> impl Iterator<Item = String> {
    list.iter().filter_map(Value::as_str).map(str::to_lowercase)
}
