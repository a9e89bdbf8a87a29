//! What each fuzz target does with its bytes, and what must hold for all of them.

mod repository;

use std::path::Path;

use repository::Repository;
use waypost::config::{CommitTime, Flags, LayerInputs, SettingOrigin, SettingsTable, Syntax, load};
use waypost::feed::form_of;
use waypost::finding::{Place, Subject};
use waypost::generator::{FrontMatter, OwnConfigError, parse_settings};
use waypost::history::{
    FileHistory, HistoryQuery, IgnoredRevisions, RenamePolicy, WalkThreads, date_sources,
    subject_of,
};
use waypost::hosts::{self, HostDialect, HostFile, HostFileKind};
use waypost::read::{
    BodyMode, FileContent, Fingerprint, ImageMode, PageFacts, PageReader, ReadOptions,
};
use waypost::robots_txt::{RobotsChange, RobotsTxt, add_sitemaps};
use waypost::site_paths::BaseUrl;
use waypost::sitemaps::{SitemapListing, conformance_of, file_of_sitemap, read_sitemap};
use waypost::source_map::{MdbookBook, parse_list};

/// Reads the bytes as a page, with everything wanted. A reader must be neither brought down nor changed by any page, and
/// neither what is not asked for nor the encoding changes what the rest of it says.
pub(super) fn read_page(bytes: &[u8]) {
    let options = ReadOptions {
        body: BodyMode::Counts,
        images: ImageMode::Wanted,
        fingerprint: Fingerprint::Wanted,
        ..ReadOptions::default()
    };
    let mut reader = PageReader::new(options);
    let facts = reader.facts_of(bytes);
    assert_eq!(
        reader.facts_of(bytes),
        facts,
        "a page read twice says the same"
    );
    assert!(
        places(&facts).is_sorted(),
        "robots tags stand in document order"
    );
    if matches!(
        facts.content,
        FileContent::Empty
            | FileContent::Binary
            | FileContent::PlainText
            | FileContent::Unreadable(_)
    ) {
        let silent = PageFacts {
            content: facts.content.clone(),
            fingerprint: facts.fingerprint,
            ..PageFacts::default()
        };
        assert_eq!(facts, silent, "what is no HTML says nothing");
    }
    let mut default_reader = PageReader::new(ReadOptions::default());
    let without_extras = PageFacts {
        images: Vec::new(),
        fingerprint: None,
        ..facts
    };
    assert_eq!(
        default_reader.facts_of(bytes),
        without_extras,
        "what is not asked for changes nothing"
    );
    if let Ok(text) = std::str::from_utf8(bytes) {
        let marked = format!("\u{feff}{text}");
        let utf_16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let facts = default_reader.facts_of(marked.as_bytes());
        assert_eq!(
            default_reader.facts_of(&utf_16),
            facts,
            "the encoding changes nothing"
        );
    }
}

fn places(facts: &PageFacts) -> Vec<u32> {
    facts.robots.iter().map(|tag| tag.place.start).collect()
}

/// Reads the bytes as robots.txt, and names a sitemap in it. What was added once is not added again.
pub(super) fn read_robots_txt(bytes: &[u8]) {
    let sitemap = BaseUrl::parse("https://example.com/")
        .expect("a constant")
        .of_path(b"sitemap.xml");
    let rules = RobotsTxt::parse(bytes);
    std::hint::black_box(rules.rules_for_everyone().access(&sitemap));
    let sitemaps = std::slice::from_ref(&sitemap);
    if let RobotsChange::Changed(first) = add_sitemaps(Some(bytes), sitemaps, &[]).change {
        let again = add_sitemaps(Some(&first), sitemaps, &[]).change;
        assert_eq!(
            again,
            RobotsChange::Unchanged,
            "a second run changes nothing"
        );
        let kept = first.len() >= bytes.len();
        assert!(kept, "no byte is lost");
    }
}

/// Reads the bytes as each of the files that tell hosts how to serve a site. No line of them brings the reader down, and
/// every line that is refused or counts is in the file, and made of whole characters.
pub(super) fn read_serving(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let base = BaseUrl::parse("https://example.com/").expect("a constant");
    for (name, kind) in HostFileKind::NAMES {
        for dialect in [HostDialect::Netlify, HostDialect::Cloudflare] {
            let mut findings = Vec::new();
            let file = HostFile {
                kind,
                path: Path::new(name),
                text: &text,
            };
            let serving = hosts::read(&[file], dialect, &base, &mut findings);
            let headers = serving
                .headers(b"/a/b.html")
                .into_iter()
                .map(|header| &header.origin);
            let redirect = serving
                .redirect(b"/a/")
                .into_iter()
                .map(|redirect| &redirect.origin);
            for origin in headers.chain(redirect) {
                assert!(
                    text.lines().count() >= origin.line,
                    "{name}: there is no line {}",
                    origin.line
                );
            }
            for finding in findings {
                let Subject::File(_, Some(place)) = finding.subject else {
                    panic!("{name}: {finding:?} has no place")
                };
                assert!(
                    stands_in(place, &text),
                    "{name}: {place:?} is no part of the file"
                );
            }
        }
    }
}

/// Reads the bytes as values of the environment, each line a variable: the way to settings that needs no file.
pub(super) fn read_settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().filter_map(|line| line.split_once('='));
    let environment: Vec<(String, String)> = lines
        .map(|(name, value)| (format!("WAYPOST_{}", name.trim()), value.to_owned()))
        .collect();
    let loaded = load(&LayerInputs {
        site_root: Path::new("/nonexistent"),
        homes: &[],
        config: None,
        environment: &environment,
        flags: Flags::default(),
        reasons: &[],
    });
    if let Err(mistakes) = loaded {
        assert!(!mistakes.list.is_empty(), "an error names a mistake");
    }
}

/// Reads the bytes as a settings file, of which the first tells the language. Every mistake is made in the file.
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
        ..SettingsTable::of_table(name.into(), String::new(), syntax)
    };
    let loaded = load(&LayerInputs {
        site_root: Path::new("/nonexistent"),
        homes: &[home],
        config: None,
        environment: &[],
        flags: Flags::default(),
        reasons: &[],
    });
    if let Err(mistakes) = loaded {
        for mistake in &mistakes.list {
            let SettingOrigin::File(file, place) = &mistake.origin else {
                panic!("{mistake:?} is in no file")
            };
            let text = mistakes.texts.of(file).expect("what was read is kept");
            assert!(
                place.is_none_or(|place| stands_in(place, text)),
                "{mistake:?} is no part of the file"
            );
        }
    }
}

/// Reads the bytes as a generator's settings, of which the first tells the language. What is read is read again, and a
/// fault is in a line of the file.
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
        Ok(value) => assert_eq!(
            parse_settings(file, &text).ok(),
            Some(value),
            "settings read twice say the same"
        ),
        Err(OwnConfigError::Parse { line, .. }) => {
            let lines = 1..=text.split('\n').count();
            assert!(
                line.is_none_or(|line| lines.contains(&line)),
                "there is no line {line:?}"
            );
        }
        Err(error) => panic!("no file was to be read: {error}"),
    }
}

fn stands_in(place: Place, text: &str) -> bool {
    text.get(place.start as usize..place.end as usize).is_some()
}

/// Reads the bytes as a sitemap that somebody else has left, packed or not, and as a feed. No child of an index lies
/// outside the folder, and what a strict reader finds stands in the order in which it is told.
pub(super) fn read_sitemap_file(bytes: &[u8]) {
    let base = BaseUrl::parse("https://example.com/").expect("a constant");
    let read = read_sitemap(bytes, &mut |listing, listed| {
        assert!(
            listed.place.start <= listed.place.end,
            "a place has a beginning and an end"
        );
        if let (SitemapListing::Sitemaps, Some(file)) =
            (listing, file_of_sitemap(&listed.loc, &base))
        {
            let mut parts = file.as_bytes().split(|&byte| byte == b'/');
            assert!(
                parts.all(|part| !matches!(part, b"" | b"." | b"..")),
                "{file} leads out of the folder"
            );
        }
    });
    std::hint::black_box(read.map_err(|error| error.to_string())).ok();
    if let Ok(conformance) = conformance_of(bytes) {
        let ends: Vec<u32> = conformance
            .flaws
            .iter()
            .map(|flaw| flaw.place.end)
            .collect();
        assert!(ends.is_sorted(), "{:?}", conformance.flaws);
    }
    std::hint::black_box(form_of(bytes).map_err(|error| error.to_string())).ok();
}

/// Reads the bytes as a list of pages and their sources, and as what mdBook hands its renderers.
pub(super) fn read_source_list(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let file = Path::new("list");
    match parse_list(file, &text) {
        Ok(told) => assert_eq!(
            parse_list(file, &text).ok(),
            Some(told),
            "a list read twice says the same"
        ),
        Err(error) => assert!(!error.remedy().is_empty(), "{error} has no remedy"),
    }
    if let Ok(book) = MdbookBook::read(bytes) {
        std::hint::black_box((book.renderer(), book.is_served(), book.html().ok()));
    }
}

/// Reads the bytes as a content file. What is found is found again, and asking for any of it ends.
pub(super) fn read_front_matter(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let front_matter = FrontMatter::parse(&text);
    assert_eq!(
        front_matter,
        FrontMatter::parse(&text),
        "front matter read twice says the same"
    );
    if let Ok(front_matter) = front_matter {
        std::hint::black_box((
            front_matter.word("slug"),
            front_matter.date(&["extra.date".to_owned()]),
        ));
    }
}

/// Reads the bytes as a repository, and dates files by it. It is said why where there is no date, and a second
/// asking changes nothing of what is said. It is too short a history for a second thread.
pub(super) fn read_repository(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let root = folder.path().canonicalize().expect("it was made");
    let repository = Repository::parse(bytes);
    repository
        .write(&root)
        .expect("a temporary folder can be written");
    let sources = ["a", "b", "c/a", "c/d/b"].map(|source| root.join(source));
    let is_set = |option: u8| repository.options >> option & 1 != 0;
    let passed_over = [repository.first_commit()];
    let ask = || {
        let question = HistoryQuery {
            sources: &sources,
            time: if is_set(0) {
                CommitTime::Author
            } else {
                CommitTime::Committer
            },
            moves: if is_set(1) {
                RenamePolicy::Follow
            } else {
                RenamePolicy::Change
            },
            ignored: IgnoredRevisions {
                file: None,
                revisions: if is_set(2) { &passed_over } else { &[] },
            },
            given: None,
            threads: WalkThreads::One,
        };
        date_sources(&question).expect("nothing was asked amiss")
    };
    let history = ask();
    assert_eq!(ask(), history, "a repository read twice says the same");
    let is_troubled = history
        .repositories
        .iter()
        .any(|report| report.trouble.is_some());
    for (source, answer) in sources.iter().zip(&history.answers) {
        match answer {
            FileHistory::Changed(change) | FileHistory::Edited(change) => {
                let subject = subject_of(source, None, &change.commit);
                assert!(
                    subject.is_ok(),
                    "{} gave a date and cannot be read: {subject:?}",
                    change.commit
                );
            }
            FileHistory::Incomplete => assert!(is_troubled, "no date, and no reason"),
            FileHistory::BeyondBoundary | FileHistory::Untracked | FileHistory::NoRepository => {}
        }
    }
}
