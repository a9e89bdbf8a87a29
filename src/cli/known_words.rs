//! Arguments that accept any text, but have words that shells should complete.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

/// Parses any text and offers words to completion scripts. The command itself rejects unknown words,
/// because it knows why, and what to type instead.
#[derive(Clone)]
pub(super) struct KnownWords(pub(super) fn() -> Vec<PossibleValue>);

impl TypedValueParser for KnownWords {
    type Value = String;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(cmd, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0().into_iter()))
    }
}
