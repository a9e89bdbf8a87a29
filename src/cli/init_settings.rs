//! The text of the settings that `waypost init` writes: defaults and examples in comments.

use std::path::Path;

use crate::site::{BaseUrlKind, FoundBaseUrl, RunError};
use page_sources::generator::Site;

/// The most common settings, each the default or an example.
const SETTINGS: &str = r#"
# [lastmod]
# from = ["git", "front_matter", "page"]  # date sources in order; also "mtime"; [] writes no dates
# ignore.revs_file = ".git-blame-ignore-revs"  # commits to ignore, such as reformatting

# [sitemap]
# gzip = "off"          # "also" writes sitemap.xml.gz as well

# [levels]
# canonical-not-listed = "deny"  # fail the build on it; accepts any finding or reason

# [[rule]]
# match = "blog/**"     # matches `blog/a/index.html` and `/blog/a/`
# group = "blog"        # a separate sitemap: sitemap-blog.xml

# [[rule]]
# match = "drafts/**"
# exclude = true
"#;

/// The text of the settings.
pub(super) fn settings_text(
    site: &Site<'_>,
    output_dir: &Path,
    base: &Result<FoundBaseUrl, RunError>,
) -> String {
    let generator = site
        .generator
        .map_or("a directory of HTML files", |generator| &generator.title);
    let base_url = match base {
        Ok(FoundBaseUrl { url, kind, origin }) if *kind == BaseUrlKind::User => {
            format!("base_url = \"{url}\"  # from {origin}")
        }
        Ok(FoundBaseUrl { url, origin, .. }) => {
            format!("# base_url = \"{url}\"  # found in {origin}")
        }
        Err(_) => {
            "# base_url = \"https://example.com/\"  # required: no base URL was found".to_owned()
        }
    };
    let output = output_dir.strip_prefix(&site.root).unwrap_or(output_dir);
    let output = if output.as_os_str().is_empty() {
        String::new()
    } else {
        format!("# output_dir = {:?}\n", output.display().to_string())
    };
    format!(
        "# Settings of waypost for {generator}. Each line in a comment is a default or an\n\
         # example. `waypost explain --settings` shows all settings and origins.\n\n\
         {base_url}\n{output}{SETTINGS}"
    )
}
