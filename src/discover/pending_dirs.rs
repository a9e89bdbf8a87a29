//! Directories that a walk has yet to list.
//!
//! A directory may contain a million others, so their names share one allocation.

/// Names of directories that are in the same one.
#[derive(Debug, Default)]
pub(super) struct DirNames(Vec<u8>);

impl DirNames {
    /// Adds a name.
    pub(super) fn push(&mut self, name: &[u8]) {
        self.0.extend_from_slice(name);
        self.0.push(b'/');
    }

    /// Moves the last name to the end of `path`; returns whether there was one.
    fn pop_to(&mut self, path: &mut Vec<u8>) -> bool {
        if self.0.pop().is_none() {
            return false;
        }
        let start = memchr::memrchr(b'/', &self.0).map_or(0, |slash| slash + 1);
        path.extend(self.0.drain(start..));
        true
    }
}

/// The directories that are left, in the order of a walk into the depth.
#[derive(Debug, Default)]
pub(super) struct PendingDirs {
    path: Vec<u8>,
    /// Directories that are listed, each with the length of its path, and what is left in them.
    levels: Vec<(usize, DirNames)>,
}

impl PendingDirs {
    /// Adds the directories in `dir`, which were found last.
    pub(super) fn add(&mut self, dir: &[u8], below: DirNames) {
        self.path.clear();
        self.path.extend_from_slice(dir);
        self.levels.push((dir.len(), below));
    }

    /// Takes the path of the next directory.
    pub(super) fn take_next(&mut self) -> Option<Vec<u8>> {
        while let Some((length, names)) = self.levels.last_mut() {
            self.path.truncate(*length);
            if !self.path.is_empty() {
                self.path.push(b'/');
            }
            if names.pop_to(&mut self.path) {
                return Some(self.path.clone());
            }
            self.levels.pop();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_directory_is_taken_once_with_its_whole_path() {
        let names = |names: &[&str]| {
            let mut all = DirNames::default();
            for name in names {
                all.push(name.as_bytes());
            }
            all
        };
        let mut dirs = PendingDirs::default();
        dirs.add(b"", names(&["a", "b", "empty"]));
        let mut taken = Vec::new();
        while let Some(dir) = dirs.take_next() {
            if dir == b"a" || dir == b"b/c" {
                dirs.add(&dir, names(&["x", "y"]));
            } else if dir == b"b" {
                dirs.add(&dir, names(&["c"]));
            } else {
                dirs.add(&dir, DirNames::default());
            }
            taken.push(String::from_utf8(dir).expect("text"));
        }
        let expected = ["empty", "b", "b/c", "b/c/y", "b/c/x", "a", "a/y", "a/x"];
        assert_eq!(taken, expected);
    }
}
