//! The server that a repository is cloned from, from the URL of a remote.

use super::git_notation;

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
        let url = git_notation::server_url(url)?;
        let host = match url.host.to_ascii_lowercase().as_str() {
            // The hosts that accept SSH on port 443.
            "ssh.github.com" => "github.com".to_owned(),
            "altssh.gitlab.com" => "gitlab.com".to_owned(),
            "altssh.bitbucket.org" => "bitbucket.org".to_owned(),
            host => host.to_owned(),
        };
        let web_root = match (url.http, url.port) {
            (Some(scheme), Some(port)) => format!("{scheme}://{host}:{port}"),
            (scheme, _) => format!("{}://{host}", scheme.unwrap_or("https")),
        };
        let path = url.path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path).to_owned();
        Some(Self {
            host,
            web_root,
            path,
        })
    }

    /// Returns the remote `origin` in the text of a repository's configuration.
    pub fn origin_in(config: &str) -> Option<Self> {
        Self::parse(&git_notation::origin_url(config)?)
    }
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
}
