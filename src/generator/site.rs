//! Which site this is: its root, its generator, and where its build went.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;
use thiserror::Error;

use super::languages::Languages;
use super::manifest::Manifest;
use super::own_config::{OwnConfig, OwnConfigError, parse_file};
use super::profile::{Generator, MarkerFile};
use crate::bounds::Containment;
use crate::site_paths::BaseUrl;

/// A site, as far as its files tell.
#[derive(Debug)]
pub struct Site<'m> {
    /// The folder that holds the generator's settings, or the one that was given.
    pub root: PathBuf,
    /// The generator, where one was recognised.
    pub generator: Option<&'m Generator>,
    /// The generator's own settings.
    pub config: OwnConfig,
    /// Where the build went, as far as the generator tells.
    pub output_dir: PathBuf,
    /// Why the settings in a folder above were passed over, which may be those of a generator that writes into this one.
    pub passed_over: Option<OwnConfigError>,
}

/// Why no site can be made out.
#[derive(Debug, Error)]
pub enum SiteError {
    /// There is nothing at the path.
    #[error("no such folder: `{0}`")]
    NoSuchFolder(PathBuf),
    /// The path is no folder.
    #[error("`{0}` is not a folder")]
    NotAFolder(PathBuf),
    /// The generator's settings cannot be read.
    #[error(transparent)]
    Config(#[from] OwnConfigError),
}

/// The part of a site that is in one language and has a host of its own.
#[derive(Debug)]
pub struct LanguageHost {
    /// Its folder, which is the root of that host.
    pub folder: PathBuf,
    /// That folder below the output folder, with its final `/`.
    pub prefix: String,
    /// The key that names its address.
    pub key: String,
    /// Its address.
    pub base_url: BaseUrl,
}

impl LanguageHost {
    fn is_in(&self, folder: &Path) -> bool {
        same_folder(&self.folder, folder)
    }
}

impl<'m> Site<'m> {
    /// Finds out what `given` is: the root of a site, the folder a site was built into, or a folder of HTML.
    pub fn find(given: &Path, manifest: &'m Manifest) -> Result<Self, SiteError> {
        if !given.exists() {
            return Err(SiteError::NoSuchFolder(given.to_owned()));
        }
        if !given.is_dir() {
            return Err(SiteError::NotAFolder(given.to_owned()));
        }
        let marked = marked_by(given, manifest);
        if let Ok(Some(generator)) = marked {
            return Self::at_root(given, generator);
        }
        let mut passed_over = None;
        if let Some(site) = Self::built_into(given, manifest, &mut passed_over)? {
            return Ok(site);
        }
        let is_of_pages = given.join("index.html").is_file();
        if !is_of_pages {
            marked?;
        }
        // Of a package the page at the top is the template of those that it builds.
        let may_be_built = !is_of_pages || given.join("package.json").is_file();
        let output_dir = may_be_built
            .then(|| conventional_output(given, manifest))
            .flatten();
        let output_dir = output_dir.unwrap_or_else(|| given.to_owned());
        Ok(Self {
            root: given.to_owned(),
            generator: None,
            config: OwnConfig::default(),
            output_dir,
            passed_over,
        })
    }

    /// The site whose root this is.
    fn at_root(root: &Path, generator: &'m Generator) -> Result<Self, SiteError> {
        let config = OwnConfig::read(root, generator)?;
        let output_dir = root.join(output_of(generator, &config));
        Ok(Self {
            root: root.to_owned(),
            generator: Some(generator),
            config,
            output_dir,
            passed_over: None,
        })
    }

    /// The site, one or two folders up, that is built into this very folder. Settings that cannot be read may be any
    /// program's, so they are passed over.
    fn built_into(
        folder: &Path,
        manifest: &'m Manifest,
        passed_over: &mut Option<OwnConfigError>,
    ) -> Result<Option<Self>, SiteError> {
        let Ok(folder) = folder.canonicalize() else {
            return Ok(None);
        };
        for root in folder.ancestors().skip(1).take(2) {
            match marked_by(root, manifest) {
                Ok(Some(generator)) => {
                    let site = Self::at_root(root, generator)?;
                    let is_output = site
                        .output_dir
                        .canonicalize()
                        .is_ok_and(|output| output == folder);
                    return Ok(is_output.then_some(site));
                }
                Err(error)
                    if manifest
                        .generic
                        .outputs
                        .iter()
                        .any(|name| root.join(name) == folder) =>
                {
                    *passed_over = Some(error);
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The base URL that the generator's settings name for an output folder, and the key.
    pub fn own_base_url(&self, output_dir: &Path) -> Option<(String, BaseUrl)> {
        let generator = self.generator?;
        if let Some(of_language) = self
            .languages_with_hosts()
            .into_iter()
            .find(|language| language.is_in(output_dir))
        {
            return Some((of_language.key, of_language.base_url));
        }
        if let Some(key) = &generator.base_url_key {
            let base = BaseUrl::parse(self.config.text(key)?).ok()?;
            return Some((key.clone(), base));
        }
        let parts = generator.base_url_parts.as_ref()?;
        let host = self.config.text(&parts.host)?.trim_end_matches('/');
        let scheme = if host.contains("://") { "" } else { "https://" };
        let path = self.config.text(&parts.path).unwrap_or("/");
        let base =
            BaseUrl::parse(&format!("{scheme}{host}/{}", path.trim_start_matches('/'))).ok()?;
        Some((parts.host.clone(), base))
    }

    /// The several sites that an output folder holds: those in languages that each have a host of their own.
    pub fn hosts_in(&self, output_dir: &Path) -> Vec<LanguageHost> {
        if same_folder(output_dir, &self.output_dir) {
            self.languages_with_hosts()
        } else {
            Vec::new()
        }
    }

    /// The folders of languages that are each served at the root of a host, as Hugo has it with a `baseURL` for each.
    pub fn languages_with_hosts(&self) -> Vec<LanguageHost> {
        let Some(generator) = self.generator else {
            return Vec::new();
        };
        let languages = Languages::new(generator, &self.config);
        let (Some(keys), true) = (&generator.languages, languages.are_sites()) else {
            return Vec::new();
        };
        let hosts = languages.codes().iter().filter_map(|code| {
            let base_url = BaseUrl::parse(languages.base_url(&self.config, code)?).ok()?;
            let key = format!(
                "{}.{code}.{}",
                keys.table_key,
                keys.base_url_key.as_deref()?
            );
            let prefix = languages.prefix(code);
            Some(LanguageHost {
                folder: self.output_dir.join(&prefix),
                prefix,
                key,
                base_url,
            })
        });
        hosts.collect()
    }

    /// The first file of the generator's settings, where it has one.
    pub fn config_file(&self) -> Option<&Path> {
        self.config.files().first().map(PathBuf::as_path)
    }
}

/// The generator that a folder's files give away. A file that is to hold a key and cannot be read may be any program's:
/// it is an error only where nothing else gives a generator away.
fn marked_by<'m>(
    root: &Path,
    manifest: &'m Manifest,
) -> Result<Option<&'m Generator>, OwnConfigError> {
    let (mut likely, mut unreadable) = (None, None);
    for generator in manifest.generators() {
        for marker in &generator.detect {
            match is_marked(root, marker, generator) {
                Ok(true) => return Ok(Some(generator)),
                Ok(false) => {}
                // Its name says so much that reading the settings is to fail.
                Err(_) if marker.has_key.is_none() => likely = likely.or(Some(generator)),
                Err(error) => unreadable = unreadable.or(Some(error)),
            }
        }
    }
    match unreadable {
        Some(error) if likely.is_none() => Err(error),
        _ => Ok(likely),
    }
}

fn is_marked(
    root: &Path,
    marker: &MarkerFile,
    generator: &Generator,
) -> Result<bool, OwnConfigError> {
    let MarkerFile {
        file,
        has_key,
        without_keys,
    } = marker;
    let file = root.join(file);
    if !file.is_file() {
        return Ok(false);
    }
    if has_key.is_none() && without_keys.is_empty() {
        return Ok(true);
    }
    let Value::Object(table) = parse_file(&Containment::of_site(root), &file)? else {
        return Ok(false);
    };
    let has = |key: &String| {
        let is_it = |name: &String| {
            name == key || generator.keys_ignore_case && name.eq_ignore_ascii_case(key)
        };
        table.keys().any(is_it)
    };
    Ok(has_key.as_ref().is_none_or(has) && !without_keys.iter().any(has))
}

/// The output folder that a generator's settings name. A path that leads out of the site root is allowed here, as it is
/// for the generator: waypost goes where the build went, as far as the repository reaches; `pipeline::Survey` sees to that.
fn output_of(generator: &Generator, config: &OwnConfig) -> PathBuf {
    let named = config.first_text(&generator.output.keys);
    let mut output = PathBuf::from(named.unwrap_or(&generator.output.default));
    if let Some(several) = &generator.output.subdir_if_several
        && config.keys(&several.table).len() > 1
    {
        output.push(&several.dir);
    }
    // `./public/` and `public` are one folder, and are shown as one.
    output
        .components()
        .filter(|part| *part != Component::CurDir)
        .collect()
}

fn conventional_output(root: &Path, manifest: &Manifest) -> Option<PathBuf> {
    manifest
        .generic
        .outputs
        .iter()
        .map(|name| root.join(name))
        .find(|folder| folder.join("index.html").is_file())
}

fn same_folder(left: &Path, right: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(left).is_some_and(|left| real(right) == Some(left))
}
