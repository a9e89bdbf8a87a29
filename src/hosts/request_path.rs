//! The path of a request, in the forms that hosts compare with their rules.

use sitemaps::site_paths::decode;

/// The form of a path that a rule is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathForm {
    /// As requested. Cloudflare compares `URL.pathname`.
    Encoded,
    /// Percent-decoded. Vercel's rules.
    Decoded,
    /// As requested, with and without a trailing slash. Firebase's headers.
    EncodedAnySlash,
    /// Percent-decoded, with and without a trailing slash. Firebase's redirects.
    DecodedAnySlash,
    /// Percent-decoded and without a trailing slash. Netlify's redirects: Netlify's command line
    /// decodes the path before it calls `netlify-redirector`.
    DecodedSlashless,
    /// In lower case, with and without a trailing slash. Netlify's headers: `forRegExp` of
    /// `@netlify/headers-parser` ignores case and ends with an optional slash.
    LowercaseAnySlash,
}

/// The path of a request, which starts with `/`.
pub(super) struct RequestPath {
    encoded: Vec<u8>,
    /// The decoded path, with its trailing slash.
    pub(super) decoded: Vec<u8>,
    lowercase: Vec<u8>,
}

impl RequestPath {
    pub(super) fn new(encoded: &str) -> Self {
        Self {
            encoded: encoded.into(),
            decoded: decode(encoded).into_owned(),
            lowercase: encoded.to_ascii_lowercase().into(),
        }
    }

    /// The texts that a rule may match. The second contains the first.
    pub(super) fn texts(&self, form: PathForm) -> [&[u8]; 2] {
        match form {
            PathForm::Encoded => [&self.encoded; 2],
            PathForm::Decoded => [&self.decoded; 2],
            PathForm::EncodedAnySlash => [without_slash(&self.encoded), &self.encoded],
            PathForm::DecodedAnySlash => [without_slash(&self.decoded), &self.decoded],
            PathForm::DecodedSlashless => [without_slash(&self.decoded); 2],
            PathForm::LowercaseAnySlash => [without_slash(&self.lowercase), &self.lowercase],
        }
    }
}

/// The path without its trailing slash, except for the root.
pub(super) fn without_slash(path: &[u8]) -> &[u8] {
    match path {
        [shorter @ .., b'/'] if !shorter.is_empty() => shorter,
        _ => path,
    }
}
