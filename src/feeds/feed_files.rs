//! Lists the files of the output that may be feeds, those nearest to the top level first.

use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::containment::SitemapDir;

/// Extensions of files that may be feeds; their root elements decide.
const ENDINGS: [&[u8]; 3] = [b"xml", b"rss", b"atom"];

/// Maximum number of files to list. Each is opened, and a site may have a feed for each of ten
/// thousand tags.
const MOST_FILES: usize = 1_000;

/// Maximum number of directories to list, level by level.
const MOST_DIRS: usize = 20_000;

/// Returns the files with the extension of a feed. Hidden directories and links to directories are
/// passed over, as hosts and generators do. A directory that cannot be listed has been reported.
pub(super) fn feed_files(dir: &SitemapDir) -> Vec<SitePath> {
    let log = dir.containment().failures();
    let (mut files, mut listed) = (Vec::new(), 0);
    let mut level = vec![Vec::new()];
    while !level.is_empty() && files.len() < MOST_FILES && listed < MOST_DIRS {
        level.truncate(MOST_DIRS - listed);
        listed += level.len();
        let (mut below, mut of_level) = (Vec::new(), Vec::new());
        for parent in level {
            // The walk over the pages has reported a directory that may not be listed.
            for entry in log.entries(&SitePath::new(&parent).below_dir(dir.path())) {
                let name = entry.file_name().into_encoded_bytes();
                if name.starts_with(b".") {
                    continue;
                }
                let path =
                    [parent.as_slice(), &name].join(&b"/"[..usize::from(!parent.is_empty())]);
                match log.note(&entry.path(), entry.file_type()) {
                    Ok(kind) if kind.is_dir() => below.push(path),
                    Ok(kind) if (kind.is_file() || kind.is_symlink()) && may_be_feed(&name) => {
                        of_level.push(path);
                    }
                    _ => {}
                }
            }
        }
        of_level.sort_unstable();
        files.extend(of_level.iter().map(SitePath::new));
        below.sort_unstable();
        level = below;
    }
    files.truncate(MOST_FILES);
    files
}

fn may_be_feed(name: &[u8]) -> bool {
    let ending = name.rsplit(|&byte| byte == b'.').next();
    let is_known = |ending: &[u8]| {
        ENDINGS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    };
    name.contains(&b'.') && ending.is_some_and(is_known)
}
