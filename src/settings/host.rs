//! The names of hosts in the settings.

/// One of [`HOSTS`]; under its own name, because serde would borrow the text of a reference.
pub type HostName = &'static str;

/// The values of `host`: the `[host.*]` tables of `plugin-manifest.toml`.
pub const HOSTS: &[&str] = &[
    "amplify",
    "azure",
    "cloudflare-pages",
    "cloudflare-workers",
    "firebase",
    "github-pages",
    "gitlab-pages",
    "netlify",
    "readthedocs",
    "render",
    "static",
    "vercel",
];
