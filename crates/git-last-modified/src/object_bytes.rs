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

impl Deref for ObjectBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
