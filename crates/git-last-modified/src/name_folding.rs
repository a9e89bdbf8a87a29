//! Compares names as the file system does.

use super::git_notation::composed;

/// The differences between names that the file system ignores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NameFolding {
    /// Upper and lower case.
    pub(super) case: bool,
    /// Composed and decomposed characters.
    pub(super) composition: bool,
}

impl NameFolding {
    /// Whether names are compared byte for byte.
    pub(super) fn is_exact(self) -> bool {
        !self.case && !self.composition
    }

    pub(super) fn fold(self, name: &[u8]) -> Vec<u8> {
        let Ok(text) = std::str::from_utf8(name) else {
            return name.to_vec();
        };
        let text = if self.composition {
            composed(text)
        } else {
            text.into()
        };
        if self.case {
            text.to_lowercase().into_bytes()
        } else {
            text.into_owned().into_bytes()
        }
    }
}
