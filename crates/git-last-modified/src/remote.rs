//! The servers that a repository and its submodules are cloned from, by the URLs in files of Git.

use std::io;
use std::path::{Component, Path, PathBuf};

use gix_url::Scheme;

use super::repository::{common_dir, native};

/// Whether the configuration of the repository around this `.git` names a remote; `true` if it cannot be
/// read.
pub fn has_remote(dot_git: &Path) -> bool {
    common_dir(dot_git)
        .and_then(|dir| std::fs::read_to_string(dir.join("config")))
        .map_or(true, |text| text.contains("[remote "))
}

/// A repository on a server, without the credentials that CI services put into URLs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// The host, in lower case.
    pub host: String,
    /// Where the host serves web pages: `https://` and the host, with the port only of HTTP.
    pub web_root: String,
    /// The path on the host, without slashes around it and without `.git`.
    pub path: String,
}

impl Remote {
    /// Parses a URL in a notation of Git (`git help fetch`, "GIT URLS"): `https://host/path`,
    /// `ssh://user@host:port/path`, `user@host:path`. Returns `None` for a local repository.
    pub fn parse(url: &str) -> Option<Self> {
        let url = gix_url::parse(url).ok()?;
        let http = match url.scheme {
            Scheme::Http => Some("http"),
            Scheme::Https => Some("https"),
            Scheme::Ssh | Scheme::Git => None,
            _ => return None,
        };
        let host = match url.host()?.to_ascii_lowercase().as_str() {
            // The hosts that accept SSH on port 443.
            "ssh.github.com" => "github.com".to_owned(),
            "altssh.gitlab.com" => "gitlab.com".to_owned(),
            "altssh.bitbucket.org" => "bitbucket.org".to_owned(),
            host => host.to_owned(),
        };
        let web_root = match (http, url.port) {
            (Some(scheme), Some(port)) => format!("{scheme}://{host}:{port}"),
            (scheme, _) => format!("{}://{host}", scheme.unwrap_or("https")),
        };
        let path = url.original_path().to_string();
        let path = path.trim_matches('/');
        Some(Self {
            host,
            web_root,
            path: path.strip_suffix(".git").unwrap_or(path).to_owned(),
        })
    }

    /// Returns the remote `origin` in the text of a repository's configuration.
    pub fn origin_in(config: &str) -> Option<Self> {
        let file = gix_config::File::try_from(config).ok()?;
        let url = file.string_by("remote", Some("origin".into()), "url")?;
        Self::parse(&url.to_string())
    }
}

/// A submodule as `.gitmodules` describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submodule {
    /// Its directory, relative to the root of the repository.
    pub dir: PathBuf,
    /// The URL that it is cloned from; relative URLs begin with `./` or `../`.
    pub url: String,
}

/// Returns the submodules in the text of a `.gitmodules` file. A path that leaves the repository
/// is ignored, as Git does.
pub fn submodules_in(gitmodules: &str) -> io::Result<Vec<Submodule>> {
    let file = gix_config::File::try_from(gitmodules).map_err(io::Error::other)?;
    // A lookup by name takes quadratic time.
    let sections = file.sections();
    let sections =
        sections.filter(|section| section.header().name().eq_ignore_ascii_case(b"submodule"));
    let submodules = sections.filter_map(|section| {
        let url = section.value("url")?.to_string();
        let dir = native(&section.value("path")?).ok()?;
        let mut parts = dir.components();
        let is_inside = parts.all(|part| matches!(part, Component::Normal(_)));
        is_inside.then_some(Submodule { dir, url })
    });
    Ok(submodules.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remote_has_a_host_a_web_root_and_a_path_in_every_notation() {
        let check = |url: &str, expected: &str| {
            let config =
                format!("[core]\n\tbare = false\n[remote \"origin\"]\n\turl = \"{url}\" # here\n");
            let remote = Remote::origin_in(&config);
            let found = remote.map_or_else(String::new, |found| {
                format!("{}/{}", found.web_root, found.path)
            });
            assert_eq!(found, expected, "{url}");
        };
        check("https://github.com/o/r.git", "https://github.com/o/r");
        check("https://github.com/o/r/", "https://github.com/o/r");
        check("https://GitHub.com/O/r", "https://github.com/O/r");
        check("git@github.com:o/r.git", "https://github.com/o/r");
        check("git@github.com:/o/r.git", "https://github.com/o/r");
        check("ssh://git@ssh.github.com:443/o/r", "https://github.com/o/r");
        check("git://github.com/o/r", "https://github.com/o/r");
        check(
            "https://job:secret@gitlab.com/g/s/p.git",
            "https://gitlab.com/g/s/p",
        );
        check(
            "ssh://git@git.example.org:2222/g/p.git",
            "https://git.example.org/g/p",
        );
        check(
            "https://git.example.org:8443/g/p",
            "https://git.example.org:8443/g/p",
        );
        check("http://git.example.org/g/p", "http://git.example.org/g/p");
        check("https://github.com/o/%C3%A4", "https://github.com/o/%C3%A4");
        for local in [
            "../r.git",
            "./a:b",
            "/srv/git/r.git",
            "file:///srv/github.com/o/r",
        ] {
            check(local, "");
        }
        check("javascript://github.com/o/r", "");
        assert_eq!(
            Remote::origin_in("[remote \"fork\"]\n\turl = https://github.com/o/r\n"),
            None
        );
        assert_eq!(Remote::origin_in("[remote"), None);
    }

    #[test]
    fn each_submodule_has_a_directory_inside_and_a_url() {
        let text = "[submodule \"a\"]\n\tpath = content/a\n\turl = https://example.com/o/a.git\n\
                    [submodule \"up\"]\n path = ../up\n url = https://example.com/o/up\n\
                    [submodule \"no\"]\n path = no\n\
                    [submodule \"b\"]\n url = \"../b\" # beside\n path = b\n";
        let found = submodules_in(text).expect("it is valid");
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.dir.to_str(), &*one.url))
            .collect();
        let expected = [
            (Some("content/a"), "https://example.com/o/a.git"),
            (Some("b"), "../b"),
        ];
        assert_eq!(found, expected);
        assert!(submodules_in("[submodule").is_err());
    }
}
