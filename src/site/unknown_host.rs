//! Reports `_redirects` and `_headers` of a site whose host is unknown: they are read as by Netlify,
//! which gave them their names, but Cloudflare reads them in another way.

use crate::hosts::HostRules;
use sitemaps::findings::{Finding, Subject, code, counted};

/// The files of a site whose host is unknown.
#[derive(Debug)]
pub(crate) struct UnknownHost {
    /// The name of the first file.
    pub(super) file: &'static str,
    /// Their rules, as Cloudflare reads them.
    pub(super) cloudflare: HostRules,
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
