//! How much of a file is in another, as Git measures it to detect renames with edits.
//!
//! Both are cut into spans, which end with a line or after 64 bytes, and equal spans are counted
//! (`diffcore_count_changes` in diffcore-delta.c).

use rustc_hash::FxHashMap;

/// The score of equal files (`MAX_SCORE` in diffcore.h).
const MAX_SCORE: usize = 60_000;

/// The least score of a rename: half (`DEFAULT_RENAME_SCORE` in diffcore.h).
const MIN_SCORE: usize = 30_000;

/// The longest span in bytes.
const MAX_SPAN: usize = 64;

/// The number of different span hashes (`HASHBASE` in diffcore-delta.c).
const SPAN_HASHES: u32 = 107_927;

/// How many bytes at the start decide whether a file is binary (`FIRST_FEW_BYTES` in
/// xdiff-interface.c).
const BINARY_TEST_BYTES: usize = 8000;

/// Returns how similar two versions are, if that is enough for Git to detect a rename.
pub(super) fn similarity(new: &[u8], old: &[u8]) -> Option<usize> {
    let (larger, smaller) = (new.len().max(old.len()), new.len().min(old.len()));
    if larger == 0
        || smaller == 0
        || (larger - smaller) * MAX_SCORE > larger * (MAX_SCORE - MIN_SCORE)
    {
        return None;
    }
    let (new, old) = (spans(new), spans(old));
    let copied = old.iter().map(|(hash, bytes)| {
        let kept = new.get(hash).copied().unwrap_or(0);
        kept.min(*bytes)
    });
    let score = copied.sum::<usize>() * MAX_SCORE / larger;
    (score >= MIN_SCORE).then_some(score)
}

/// Returns the bytes in spans of each hash.
fn spans(content: &[u8]) -> FxHashMap<u32, usize> {
    let start = &content[..content.len().min(BINARY_TEST_BYTES)];
    let is_text = memchr::memchr(0, start).is_none();
    let mut spans = FxHashMap::default();
    let (mut length, mut low, mut high) = (0, 0_u32, 0_u32);
    for (at, byte) in content.iter().enumerate() {
        // Line endings do not make texts differ.
        if is_text && *byte == b'\r' && content.get(at + 1) == Some(&b'\n') {
            continue;
        }
        (low, high) = (low << 7 ^ high >> 25, high << 7 ^ low >> 25);
        low = low.wrapping_add(u32::from(*byte));
        length += 1;
        if length == MAX_SPAN || *byte == b'\n' {
            *spans.entry(span_hash(low, high)).or_default() += length;
            (length, low, high) = (0, 0, 0);
        }
    }
    if length > 0 {
        *spans.entry(span_hash(low, high)).or_default() += length;
    }
    spans
}

fn span_hash(low: u32, high: u32) -> u32 {
    low.wrapping_add(high.wrapping_mul(0x61)) % SPAN_HASHES
}
