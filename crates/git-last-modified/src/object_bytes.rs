//! The content of an object, shared by the caches.

use std::ops::Deref;
use std::rc::Rc;

/// The content of an object; a clone shares it.
///
/// Unlike `Rc<[u8]>`, it takes over a buffer without copying it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ObjectBytes(Rc<Vec<u8>>);

impl From<Vec<u8>> for ObjectBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Rc::new(bytes))
    }
}

impl ObjectBytes {
    /// Returns the buffer for another object if nothing shares it, else a new one.
    pub(super) fn into_buffer(self) -> Vec<u8> {
        Rc::into_inner(self.0).unwrap_or_default()
    }
}

impl Deref for ObjectBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
