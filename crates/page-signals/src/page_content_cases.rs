//! Tests how odd page files are decoded and measured.

use super::page_cases::{NOINDEX, facts_of, robots, with_head};
use super::*;

#[test]
fn a_place_covers_the_whole_tag() {
    let utf_16 = format!("\u{feff}<p>é{NOINDEX}");
    let utf_16: Vec<u8> = utf_16.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let starts: [&[u8]; 6] = [
        "<title>é\u{1f980}</title>".as_bytes(),
        "\u{feff}<title>t</title>".as_bytes(),
        b"<title>\xff\xfe</title>",
        b"<meta charset=iso-8859-1><p>caf\xe9",
        "<p><noscript>é".as_bytes(),
        &b"<p>padding ".repeat(300_000),
    ];
    let pages = starts.map(|start| [start, NOINDEX.as_bytes()].concat());
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("p.html");
    for page in pages.iter().chain([&utf_16]) {
        std::fs::write(&path, page).expect("a file in a temporary directory");
        let open = || File::open(&path).expect("it was just written");
        let facts = PageReader::new(ReadOptions::default()).read(&open());
        let place = facts.expect("the file can be read").robots[0].place;
        let text = text_of(&open()).expect("the file was just read");
        assert_eq!(&text[place.start as usize..place.end as usize], NOINDEX);
    }
}

#[test]
fn pages_are_decoded_as_they_declare() {
    let japanese = b"<meta charset=shift_jis><link rel=canonical href=\"/\x83\x5c.html\">";
    let invalid = b"<title>caf\xe9 \xff\xfe</title><link rel=canonical href=\"/caf\xe9\">";
    for (page, expected) in [(&japanese[..], "/ソ.html"), (invalid, "/caf\u{fffd}")] {
        assert_eq!(facts_of(page).canonicals[0].value.href, expected);
    }
}

#[test]
fn content_other_than_html_is_detected() {
    let check = |page: &[u8], expected: &FileContent| {
        let shown = String::from_utf8_lossy(page);
        assert_eq!(&facts_of(page).content, expected, "{shown}");
    };
    check(b"", &FileContent::Empty);
    check(b"\xef\xbb\xbf \r\n", &FileContent::Empty);
    check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR<p", &FileContent::Binary);
    check(b"\x7fELF\x02\x01\x01\0", &FileContent::Binary);
    check(
        b"google-site-verification: google0123456789abcdef.html\n",
        &FileContent::PlainText,
    );
    check(b"1 < 2, and <3", &FileContent::PlainText);
    let hidden = "<template><title>a</title></template>";
    for part in ["1 < 2 <b>", "<!-- a --><p>b", hidden, "<svg><title>"] {
        check(part.as_bytes(), &FileContent::Fragment);
    }
    for end in ["<!doctype html>", "<html>", "</BODY>", "<title>a", NOINDEX] {
        let page = format!("<p>a</p>{}{end}", "<br>".repeat(1 << 16));
        check(page.as_bytes(), &FileContent::Html);
    }
    check(b"<!DOCTYPE html>", &FileContent::Html);
    check(b"<title>\0</title>", &FileContent::Html);
    let without_template = "<title>Zola</title>You're seeing this page because we couldn't find a \
                            template to render.";
    check(without_template.as_bytes(), &FileContent::NoTemplate);
    let article = format!("{without_template}{}", "<p>Text".repeat(1000));
    check(article.as_bytes(), &FileContent::Html);
    let editor = "<title>CMS</title><script src=\"https://unpkg.com/decap-cms@^3/dist/decap-cms.js\"></script>";
    check(editor.as_bytes(), &FileContent::Program);
    let tag = &editor[editor.find("<script").expect("the tag")..];
    let about_it = format!(
        "<title>t</title><code>{}</code>",
        tag.replace('<', "&#x3C;")
    );
    check(about_it.as_bytes(), &FileContent::Html);
    let with_text = format!("<title>t</title><p>t</p>{tag}");
    check(with_text.as_bytes(), &FileContent::Html);
    let heading = "<title>t</title><h1>Rustdoc settings</h1>";
    check(heading.as_bytes(), &FileContent::Html);
    let settings = format!("<meta name=\"generator\" content=\"rustdoc\">{heading}");
    check(settings.as_bytes(), &FileContent::Program);
    check(b"<", &FileContent::PlainText);
    check(
        b"<meta charset=iso-2022-kr>",
        &FileContent::Unreadable("it declares an encoding that browsers do not support".to_owned()),
    );
}

#[test]
fn a_page_that_was_gzipped_in_place_is_unreadable() {
    assert_eq!(
        facts_of(b"\x1f\x8b\x08\0page"),
        PageFacts::unreadable(&std::io::Error::other("it is compressed with gzip"))
    );
}

#[test]
fn huge_and_deep_pages_are_read_completely() {
    let check = |start: &str, unit: &str, times: usize, expected: &str| {
        let facts = facts_of(format!("{start}{}{NOINDEX}", unit.repeat(times)));
        assert_eq!(robots(&facts).concat(), expected, "{unit}");
        assert_eq!(facts.cut_short, None, "{unit}");
    };
    let (head, body) = ("Head robots=noindex", "Body robots=noindex");
    check("<body>", "<template>", 20_000, "");
    check("<body>", "<b></i>", 20_000, body);
    check("<body>", "<meta a", 20_000, body);
    check("<body>", "<m", 50_000, "");
    check("<body>", "<meta a='>", 20_000, body);
    check("<svg><svg>", "<title><svg></b>", 5_000, body);
    check("<title>t</title>", "<meta name=a content=b>", 20_000, head);
}

#[test]
fn a_page_is_cut_where_it_is_too_long_or_nested_too_deeply() {
    let check = |page: &str, why: &str| {
        let facts = facts_of(page);
        assert_eq!(robots(&facts), ["Head robots=noindex"]);
        assert_eq!(facts.cut_short.as_deref(), Some(why));
    };
    let long = format!("{NOINDEX}{}{NOINDEX}", "<p>padding".repeat(2 << 20));
    check(&long, "it is longer than 16 MiB");
    let deep = format!("{NOINDEX}<svg>{}{NOINDEX}", "<g>".repeat(5 << 20));
    check(
        &deep,
        "it has too many nested elements in `<svg>` or `<math>`",
    );
}

#[test]
fn a_file_is_read_from_its_start_and_a_huge_one_leaves_no_huge_buffer() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("p.html");
    std::fs::write(&path, with_head(NOINDEX)).expect("a file");
    let mut reader = PageReader::new(ReadOptions::default());
    let mut read = |file: &File| reader.read(file).expect("the file can be read");
    let file = File::open(&path).expect("it exists");
    assert_eq!(robots(&read(&file)), ["Head robots=noindex"]);
    std::fs::File::create(dir.path().join("huge"))
        .and_then(|file| file.set_len(10 << 30))
        .expect("a sparse file");
    let huge = read(&File::open(dir.path().join("huge")).expect("it exists"));
    assert_eq!(huge.content, FileContent::Binary);
    assert_eq!(robots(&read(&file)), ["Head robots=noindex"]);
    assert!(reader.buffer.capacity() <= page_text::KEPT_BUFFER);
}

#[test]
fn only_pages_that_name_the_property_may_state_a_date_in_structured_data() {
    let check = |page: &str, expected: bool| {
        let facts = facts_of(page);
        assert_eq!(facts.may_state_modified, expected, "{page}");
    };
    let long = "<p>text</p>".repeat(1 << 18);
    let time = "<time itemprop=dateModified datetime=2024-01-01>";
    let script = "<script type=application/ld+json>{\"dateModified\": \"2024\"}</script>";
    for text in ["", "<body>", "<frameset>", "text", &long] {
        let html = with_head(text);
        check(&html, false);
        check(&format!("{html}{time}"), true);
        check(&format!("{script}{html}"), true);
    }
    check("", false);
    check("<title>a</title>", false);
    check(&format!("text dateModified {NOINDEX}"), true);
}
