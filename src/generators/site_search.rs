//! Which generator the files in a directory identify, and the site that they belong to.

use std::path::Path;

use super::own_config::OwnConfig;
use super::profile::{Generator, MarkerFile};
use super::site::{Site, SiteSearch};
use crate::generators::GeneratorError;

impl<'m> Site<'m> {
    /// The site, one or two levels up, whose output directory is `dir`. Settings that cannot be
    /// read are ignored, because they may belong to another program.
    pub(crate) fn built_into(
        dir: &Path,
        search: &SiteSearch<'m>,
        passed_over: &mut Option<GeneratorError>,
    ) -> Result<Option<Self>, GeneratorError> {
        let SiteSearch { manifest, tree, .. } = search;
        let Some(dir) = tree.resolved(dir) else {
            return Ok(None);
        };
        for root in dir.ancestors().skip(1).take(2) {
            match marked_by(root, search) {
                Ok(Some(generator)) => {
                    let site = Self::at_root(root, generator, search)?;
                    let is_output = tree.resolved(&site.output_dir) == Some(dir);
                    return Ok(is_output.then_some(site));
                }
                Err(error)
                    if manifest
                        .generic
                        .outputs
                        .iter()
                        .any(|name| root.join(name) == dir) =>
                {
                    *passed_over = Some(error);
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

/// The generator identified by the files in a directory.
///
/// A marker file that must contain a key but cannot be read may belong to another program. It is an
/// error only if no other file identifies a generator.
pub(crate) fn marked_by<'m>(
    root: &Path,
    search: &SiteSearch<'m>,
) -> Result<Option<&'m Generator>, GeneratorError> {
    let (mut likely, mut unreadable) = (None, None);
    for generator in search.manifest.generator.values() {
        for marker in &generator.detect {
            match is_marked(root, marker, generator, search) {
                Ok(true) => return Ok(Some(generator)),
                Ok(false) => {}
                // No key must be set, so the file name is evidence enough: let reading the settings
                // report the error.
                Err(_) if !marker.conditions.iter().any(|condition| condition.expected) => {
                    likely = likely.or(Some(generator));
                }
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
    search: &SiteSearch<'_>,
) -> Result<bool, GeneratorError> {
    let tree = &search.tree;
    let file = root.join(&marker.file);
    if !tree.is_file(&file) {
        return Ok(false);
    }
    if marker.conditions.is_empty() {
        return Ok(true);
    }
    let config = OwnConfig::from_file(&tree.at(root), &file, generator, &search.environment)?;
    let conditions = &marker.conditions;
    Ok(config.is_table() && conditions.iter().all(|condition| config.meets(condition)))
}
