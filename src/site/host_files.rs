//! Reads the files that configure the host. `_redirects` and `_headers` of a site whose host is unknown are
//! read as by Netlify, which gave them their names, but Cloudflare reads them in another way.

use std::io;
use std::path::{Path, PathBuf};

use super::host_settings::HostDirs;
use crate::files::io_failure::IoFailure;
use crate::files::tree::Tree;
use crate::findings::{Finding, Findings, Subject, code, counted};
use crate::generators::{HostFileKind, HostModel, HostServer};
use crate::hosts::{self, HostFile, HostRules};
use sitemaps::site_paths::BaseUrl;

/// Reads the host's configuration files. If the host is unknown, every known file counts, as
/// someone wrote it for the host of this site.
pub(crate) fn read(
    host: Option<&HostModel>,
    dirs: &HostDirs,
    output: &Tree,
    base: &BaseUrl,
    findings: &Findings,
) -> (HostRules, Option<UnknownHost>) {
    let mut files = Vec::new();
    for (name, kind) in HostFileKind::NAMES {
        if host.is_some_and(|host| !host.reads.contains(&kind)) {
            continue;
        }
        let path = if kind.is_published() {
            Some(output.path().join(name))
        } else {
            dirs.nearest(name)
        };
        let Some(path) = path else {
            continue;
        };
        match text_of(output, &path) {
            Ok(text) => {
                let output = dirs.output_from(&path);
                files.push(HostFile {
                    kind,
                    path,
                    text,
                    output,
                });
            }
            Err(error) if IoFailure::of(&error) == IoFailure::Gone => {}
            Err(error) => {
                let message = format!("`{name}` cannot be read: {error}; it is treated as empty");
                findings.add(unreadable(path, message));
            }
        }
    }
    if let Some(host) = host {
        findings.extend(unread(host, dirs));
    }
    let server = host.map(|host| host.server).unwrap_or_default();
    let rules = hosts::read(&files, server, base, findings);
    let published = HostFileKind::NAMES
        .into_iter()
        .find(|(_, kind)| kind.is_published() && files.iter().any(|file| file.kind == *kind));
    let unknown = published
        .filter(|_| host.is_none())
        .map(|(file, _)| UnknownHost {
            file,
            // Their mistakes have been reported.
            cloudflare: hosts::read(
                &files,
                HostServer::CloudflarePages,
                base,
                &Findings::default(),
            ),
        });
    (rules, unknown)
}

/// Reports the files that are programs, or whose format is not known well enough to read them.
fn unread<'s>(host: &'s HostModel, dirs: &'s HostDirs) -> impl Iterator<Item = Finding> + 's {
    host.unread.iter().filter_map(|name| {
        let message = format!("`{name}` is not read, so its redirects and headers are unknown");
        let finding = unreadable(dirs.nearest_or_built(name)?, message);
        Some(
            finding.with_hint(
                "exclude the pages that it redirects or marks as noindex with `exclude`",
            ),
        )
    })
}

fn unreadable(path: PathBuf, message: String) -> Finding {
    Finding::new(code::SERVING_UNREADABLE, Subject::File(path, None), message)
}

fn text_of(output: &Tree, path: &Path) -> io::Result<String> {
    let mut text = output.text(path)?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// The files of a site whose host is unknown.
#[derive(Debug)]
pub(crate) struct UnknownHost {
    /// The name of the first file.
    file: &'static str,
    /// Their rules, as Cloudflare reads them.
    cloudflare: HostRules,
}

impl UnknownHost {
    /// Returns the finding for these listed pages, of which each is a percent-encoded path without `/`
    /// at the start; `None` if every host treats them in the same way.
    pub(crate) fn finding<'p>(&self, listed: impl Iterator<Item = &'p str>) -> Option<Finding> {
        let (mut redirected, mut files) = (0, 0);
        for path in listed {
            redirected += usize::from(self.cloudflare.redirect(&format!("/{path}")).is_some());
            files += usize::from(path.strip_suffix(".html").is_some());
        }
        let (code, difference) = match (redirected, files) {
            (0, 0) => return None,
            (0, files) => {
                let pages = counted(files, "listed page");
                let text = format!("Cloudflare would redirect {pages} to the URL without `.html`");
                (code::HOST_UNKNOWN_NOTE, text)
            }
            (redirected, _) => {
                let pages = counted(redirected, "listed page");
                let text = format!("it is read as by Netlify; Cloudflare would redirect {pages}");
                (code::HOST_UNKNOWN, text)
            }
        };
        let message = format!(
            "the host is unknown, but `{}` exists: {difference}",
            self.file
        );
        let finding = Finding::new(code, Subject::Site, message);
        Some(finding.with_hint("set `host` in waypost.toml, for example `host = \"netlify\"`"))
    }
}
