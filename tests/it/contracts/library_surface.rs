//! The items that other programs may use, and their example.

/// The lines of the first example in a text whose lines begin with `prefix`, without those that
/// rustdoc hides.
fn example_in(text: &str, prefix: &str, opening: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(prefix));
    let block = lines.skip_while(|line| *line != opening).skip(1);
    let block = block.take_while(|line| line.trim_start() != "```");
    let shown = block.filter(|line| !line.trim_start().starts_with("# "));
    let indent = if prefix.is_empty() { "" } else { " " };
    shown
        .map(|line| line.strip_prefix(indent).unwrap_or(line).to_owned())
        .collect()
}

#[test]
fn the_book_has_the_example_that_rustdoc_compiles() {
    let compiled = example_in(include_str!("../../../src/lib.rs"), "//!", " ```");
    assert!(compiled.len() > 8, "{compiled:?}");
    let page = include_str!("../../../docs/src/how-to/library.md");
    assert_eq!(example_in(page, "", "```rust"), compiled);
}

#[test]
fn the_library_has_no_other_public_module() {
    let lib = include_str!("../../../src/lib.rs");
    assert_eq!(lib.matches("pub mod ").count(), 1);
    assert!(lib.contains("#[doc(hidden)]\npub mod internals {"));
}
