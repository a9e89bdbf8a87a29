//! The bodies of the fuzz targets, and the properties that they check for all inputs.

mod repository;

use std::collections::BTreeMap;
use std::path::Path;

use git_last_modified::CommitTime;
use git_last_modified::{
    FileHistory, HistoryError, HistoryQuery, IgnoredRevisions, Source, date_sources, subject_of,
};
use page_signals::{FileContent, PageFacts, PageReader, ReadOptions};
use repository::Repository;
use sitemaps::feed_form::detect_format;
use sitemaps::robots_txt::{RobotsTxt, add_sitemaps};
use sitemaps::site_paths::BaseUrl;
use sitemaps::{Place, SitemapListing, read_sitemap, validate};
use waypost::internals::{
    Findings, Flags, FrontMatter, GeneratorError, Hint, HostFile, HostFileKind, HostServer,
    LayerInputs, MdbookBook, SettingOrigin, SettingsTable, Subject, Syntax, file_of_sitemap, load,
    parse_list, parse_settings, read_host_files,
};

/// Reads the bytes as a page, with all options on.
///
/// No page may crash the reader or change its state. Neither disabled options nor the encoding may
/// change the other facts.
pub(super) fn read_page(bytes: &[u8]) {
    let options = ReadOptions { fingerprint: true };
    let reader = PageReader::new(options);
    let facts = reader.facts_of(bytes);
    assert_eq!(reader.facts_of(bytes), facts, "the second time");
    let places = facts.robots.iter().map(|tag| tag.place.start);
    assert!(places.is_sorted(), "robots tags are in document order");
    if !matches!(facts.content, FileContent::Html | FileContent::Fragment) {
        let silent = PageFacts {
            content: facts.content.clone(),
            fingerprint: facts.fingerprint,
            ..PageFacts::default()
        };
        assert_eq!(facts, silent, "a file that is not HTML has no facts");
    }
    let default_reader = PageReader::new(ReadOptions::default());
    let without_extras = PageFacts {
        fingerprint: None,
        ..facts
    };
    let plain = default_reader.facts_of(bytes);
    assert_eq!(plain, without_extras, "without the options");
    if let Ok(text) = std::str::from_utf8(bytes) {
        let marked = format!("\u{feff}{text}");
        let utf_16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let facts = default_reader.facts_of(marked.as_bytes());
        assert_eq!(default_reader.facts_of(&utf_16), facts, "in UTF-16");
    }
}

/// Reads the bytes as robots.txt and adds a sitemap to it; adding it again changes nothing.
pub(super) fn read_robots_txt(bytes: &[u8]) {
    let sitemap = BaseUrl::parse("https://example.com/")
        .expect("a constant")
        .path_url(b"sitemap.xml");
    let rules = RobotsTxt::parse(bytes);
    std::hint::black_box(rules.rules_for("*").disallowing(&sitemap));
    let sitemaps = std::slice::from_ref(&sitemap);
    if let Some(first) = add_sitemaps(Some(bytes), sitemaps, &[]).text {
        let again = add_sitemaps(Some(&first), sitemaps, &[]).text;
        assert_eq!(again, None, "in a second run");
        assert!(first.len() >= bytes.len(), "no byte is lost");
    }
}

/// Reads the bytes as each of the host files with header and redirect rules.
///
/// No line may crash the reader. Every line that is rejected or used must exist in the file, and
/// every place must be on character boundaries.
pub(super) fn read_serving(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let base = BaseUrl::parse("https://example.com/").expect("a constant");
    for (name, kind) in HostFileKind::NAMES {
        for server in [HostServer::Netlify, HostServer::CloudflarePages] {
            let files = [HostFile {
                kind,
                path: name.into(),
                text: text.to_string(),
                output: None,
            }];
            let findings = Findings::default();
            let serving = read_host_files(&files, server, &base, &findings);
            let headers = serving
                .headers("/a/b.html")
                .into_iter()
                .map(|header| &header.origin);
            let redirect = serving
                .redirect("/a/")
                .into_iter()
                .map(|rule| &rule.redirect.origin);
            for origin in headers.chain(redirect) {
                let exists = text.lines().count() >= origin.line;
                assert!(exists, "{name}: line {} does not exist", origin.line);
            }
            for finding in findings.take_sorted() {
                let Subject::File(_, Some(place)) = finding.subject else {
                    panic!("{name}: {finding:?} has no place")
                };
                assert!(is_in_text(place, &text), "{name}: {place:?}");
            }
        }
    }
}

/// Reads each line as an environment variable with a setting.
pub(super) fn read_settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().filter_map(|line| line.split_once('='));
    let environment: BTreeMap<String, String> = lines
        .map(|(name, value)| (format!("WAYPOST_{}", name.trim()), value.to_owned()))
        .collect();
    let loaded = load(&LayerInputs {
        site_root: Path::new("/nonexistent"),
        generator_tables: &[],
        environment: &environment,
        flags: Flags::default(),
        reasons: &[],
    });
    if let Err(error) = loaded {
        assert!(!error.to_string().is_empty(), "an error has a message");
    }
}

/// Reads the bytes as a settings file; the first byte selects the language.
///
/// Every mistake must have a place in the file.
pub(super) fn read_settings_file(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let (name, syntax) = [
        ("waypost.toml", Syntax::Toml),
        ("config.yaml", Syntax::Yaml),
        ("config.json", Syntax::Json),
    ][usize::from(first % 3)];
    let text = String::from_utf8_lossy(rest).into_owned();
    let home = SettingsTable {
        text: Some(text),
        ..SettingsTable::new(name.into(), String::new(), syntax)
    };
    let loaded = load(&LayerInputs {
        site_root: Path::new("/nonexistent"),
        generator_tables: &[home],
        environment: &BTreeMap::new(),
        flags: Flags::default(),
        reasons: &[],
    });
    if let Err(error) = loaded {
        let mistake = &error.mistake;
        let SettingOrigin::File(file, place) = &mistake.origin else {
            panic!("{mistake:?} has no file")
        };
        let text = error.texts.of(file).expect("the texts are kept");
        let is_in_file = place.is_none_or(|place| is_in_text(place, text));
        assert!(is_in_file, "{mistake:?} is outside the file");
    }
}

/// Reads the bytes as a generator's settings; the first byte selects the language.
///
/// Reading them again must give the same result, and an error must be on a line of the file.
pub(super) fn read_generator_settings(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let files = [
        "config.toml",
        "mkdocs.yml",
        "config.json",
        "astro.config.mjs",
        "conf.py",
    ];
    let file = Path::new(files[usize::from(first % 5)]);
    let text = String::from_utf8_lossy(rest);
    match parse_settings(file, &text) {
        Ok(value) => assert_eq!(parse_settings(file, &text).ok(), Some(value)),
        Err(GeneratorError::InvalidSettings { line, .. }) => {
            let lines = 1..=text.split('\n').count();
            let exists = line.is_none_or(|line| lines.contains(&line));
            assert!(exists, "line {line:?} does not exist");
        }
        Err(error) => panic!("unexpected error: {error}"),
    }
}

fn is_in_text(place: Place, text: &str) -> bool {
    text.get(place.start as usize..place.end as usize).is_some()
}

/// Reads the bytes as an existing sitemap, compressed or not, and as a feed.
///
/// No child of a sitemap index may be outside the directory. The flaws that the strict reader finds
/// must be in document order.
pub(super) fn read_sitemap_file(bytes: &[u8]) {
    let base = BaseUrl::parse("https://example.com/").expect("a constant");
    let read = read_sitemap(bytes, &mut |listing, listed| {
        assert!(listed.place.start <= listed.place.end);
        if let (SitemapListing::Sitemaps, Some(file)) =
            (listing, file_of_sitemap(&listed.loc, &base))
        {
            let mut parts = file.as_bytes().split(|&byte| byte == b'/');
            let is_inside = parts.all(|part| !matches!(part, b"" | b"." | b".."));
            assert!(is_inside, "{file} is outside the directory");
        }
    });
    std::hint::black_box(read.map_err(|error| error.to_string())).ok();
    if let Ok(conformance) = validate(bytes) {
        let ends = conformance.flaws.iter().map(|flaw| flaw.place.end);
        assert!(ends.is_sorted(), "{:?}", conformance.flaws);
    }
    std::hint::black_box(detect_format(bytes).map_err(|error| error.to_string())).ok();
}

/// Reads the bytes as a source map, and as the render context of mdBook.
pub(super) fn read_source_list(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let file = Path::new("list");
    match parse_list(file, &text) {
        Ok(pages) => assert_eq!(parse_list(file, &text).ok(), Some(pages)),
        Err(error) => assert!(error.hint().is_some(), "{error} has no hint"),
    }
    if let Ok(book) = MdbookBook::read(bytes) {
        std::hint::black_box((book.renderer(), book.is_served(), book.html().ok()));
    }
}

/// Reads the bytes as a content file; reading it again must give the same front matter.
pub(super) fn read_front_matter(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let front_matter = FrontMatter::parse(&text);
    assert_eq!(front_matter, FrontMatter::parse(&text), "the second time");
    if let Ok(front_matter) = front_matter {
        let date = front_matter.date(&["extra.date".to_owned()]);
        std::hint::black_box((front_matter.scalar("slug"), date));
    }
}

/// Reads the bytes as a repository and dates files with it.
///
/// A file without a date must have a reason, and a second query must give the same result. A part
/// that exists and cannot be read leaves no date.
pub(super) fn read_repository(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let root = folder.path().canonicalize().expect("it exists");
    let repository = Repository::parse(bytes);
    repository.write(&root).expect("it is writable");
    let sources = ["a", "b", "c/a", "c/d/b"].map(|source| root.join(source));
    let is_set = |option: u8| repository.options >> option & 1 != 0;
    let passed_over = [repository.first_commit()];
    let ask = || {
        let question = HistoryQuery {
            time: if is_set(0) {
                CommitTime::Author
            } else {
                CommitTime::Committer
            },
            ignored: IgnoredRevisions {
                revisions: if is_set(2) { &passed_over } else { &[] },
                ..IgnoredRevisions::default()
            },
            ..HistoryQuery::default()
        };
        let sources = sources.iter().cloned().map(Source::File);
        date_sources(sources, &question).map_err(|error| match error {
            HistoryError::UnreadableRepository { failure, .. } => failure,
            other => panic!("{other}"),
        })
    };
    let answer = ask();
    assert_eq!(ask(), answer, "the second time");
    let Ok(history) = answer else { return };
    let mut reports = history.repositories.iter();
    let is_troubled = reports.any(|report| report.error.is_some());
    for (source, answer) in sources.iter().zip(&history.files) {
        match answer {
            FileHistory::Changed(change) | FileHistory::Edited(Some(change)) => {
                let subject = subject_of(source, &change.commit);
                assert!(subject.is_ok(), "{}: {subject:?}", change.commit);
            }
            FileHistory::Incomplete => assert!(is_troubled, "neither a date nor a reason"),
            FileHistory::Edited(None)
            | FileHistory::BeyondBoundary
            | FileHistory::Untracked
            | FileHistory::NoRepository => {}
        }
    }
}
