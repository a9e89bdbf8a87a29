//! The items that other programs may use, and their example.

/// The lines of the first example in a text whose lines begin with `prefix`, without those that
/// rustdoc hides.
fn example_in(text: &str, prefix: &str, opening: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(prefix));
    let lines = lines.map(|line| {
        line.strip_prefix(' ')
            .filter(|_| !prefix.is_empty())
            .unwrap_or(line)
    });
    let block = lines.skip_while(|line| *line != opening).skip(1);
    let block = block.take_while(|line| *line != "```");
    let is_shown = |line: &&str| !line.starts_with("# ");
    block.filter(is_shown).map(str::to_owned).collect()
}

#[test]
fn the_book_has_the_example_that_rustdoc_compiles() {
    let lib = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs");
    let lib = std::fs::read_to_string(lib).expect("the file exists");
    let compiled = example_in(&lib, "//!", "```");
    assert!(compiled.len() > 8, "{compiled:?}");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/how-to/library.md");
    let page = std::fs::read_to_string(page).expect("the file exists");
    assert_eq!(example_in(&page, "", "```rust"), compiled);
}

#[test]
fn the_library_has_no_other_public_module() {
    let lib = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs");
    let lib = std::fs::read_to_string(lib).expect("the file exists");
    let modules: Vec<&str> = lib
        .lines()
        .filter(|line| line.contains("pub mod"))
        .collect();
    assert_eq!(modules, ["pub mod internals {"]);
    let before = lib
        .split("pub mod internals {")
        .next()
        .expect("a first part");
    assert!(
        before.ends_with("#[doc(hidden)]\n"),
        "`internals` is hidden"
    );
}
