//! Recognizes pagination pages by their paths.

use site_paths::SitePath;

/// Whether the file is a pagination page (`…/page/2/index.html`), which shows older entries.
pub(crate) fn is_pager(file: &SitePath) -> bool {
    let parts: Vec<&[u8]> = file.as_bytes().split(|&byte| byte == b'/').collect();
    matches!(parts[..], [.., b"page", number, _] if number.iter().all(u8::is_ascii_digit))
}
