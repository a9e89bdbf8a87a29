//! Tests of `diagnose`.

use super::*;

fn at(text: &str, start: usize, end: usize) -> String {
    let place = |at: usize| u32::try_from(at).expect("a small text");
    let place = Place {
        start: place(start),
        end: place(end),
    };
    drawn(&Diagnostic {
        level: findings::Level::Warn,
        code: Some("a-code"),
        message: "something is odd".into(),
        path: Some("p.html".into()),
        excerpt: Some(Excerpt { text, place }),
        hint: Some("fix it"),
    })
}

/// The diagnostic on a wide terminal without colours.
fn drawn(diagnostic: &Diagnostic<'_>) -> String {
    plain(&diagnostic.render(180))
}

fn plain(drawn: &str) -> String {
    anstream::adapter::strip_str(drawn).to_string()
}

#[test]
fn a_finding_is_drawn_against_its_line() {
    let expected = "\
warning[a-code]: something is odd
 --> p.html:2:5
  |
2 | été <b>
  |     ^^^
  |
  = hint: fix it";
    assert_eq!(at("<html>\r\nété <b>\r\n", 14, 17), expected);
}

#[test]
fn a_line_of_a_megabyte_is_cut_around_the_place() {
    let page = format!("{}<meta>{}", "é".repeat(500_000), "b".repeat(500_000));
    let drawn = at(&page, 1_000_000, 1_000_006);
    assert!(drawn.contains("\n --> p.html:1:500001\n"), "{drawn}");
    let lines: Vec<&str> = drawn.lines().collect();
    assert!(lines[3].starts_with("1 | ...é") && lines[3].ends_with("b..."));
    let [tag, carets] = [(3, "<meta>"), (4, "^^^^^^")].map(|(line, text)| {
        let (before, _) = lines[line].split_once(text).expect("it is shown");
        before.chars().count()
    });
    assert_eq!(tag, carets, "{drawn}");
}

#[test]
fn an_excerpt_and_its_underline_fit_into_the_terminal() {
    let diagnostic = Diagnostic {
        message: "odd".into(),
        path: Some("p.html".into()),
        excerpt: Some(Excerpt {
            text: &"<a>".repeat(200),
            place: Place {
                start: 300,
                end: 500,
            },
        }),
        ..Diagnostic::new(findings::Level::Note, "", None)
    };
    for width in [40, 80, 120] {
        let drawn = plain(&diagnostic.render(width));
        let widest = drawn.lines().map(|line| line.chars().count()).max();
        assert!(widest.is_some_and(|widest| widest <= width), "{drawn}");
    }
}

#[test]
fn no_control_character_reaches_the_terminal() {
    let text = "a\u{1b}[31mb\u{9b}c\u{202e}d\u{7f}\u{0}";
    let excerpt = Excerpt {
        text,
        place: Place::default(),
    };
    for excerpt in [None, Some(excerpt)] {
        let diagnostic = Diagnostic {
            message: text.into(),
            path: Some(text.into()),
            excerpt,
            hint: Some(text),
            ..Diagnostic::new(findings::Level::Note, "", None)
        };
        assert!(!diagnostic.render(180).contains("\u{1b}[31m"));
        let drawn = drawn(&diagnostic);
        let steers = |character: &char| {
            *character != '\n' && (character.is_control() || *character == '\u{202e}')
        };
        assert_eq!(drawn.chars().find(steers), None, "{drawn}");
    }
}

#[test]
fn any_place_can_be_drawn() {
    let text = "a\n\nü…\n\u{1b}é";
    for start in 0..=text.len() + 2 {
        for end in 0..=text.len() + 2 {
            assert!(
                at(text, start, end).contains("--> p.html:"),
                "{start}..{end}"
            );
        }
    }
    assert!(at("", 0, 0).contains(" --> p.html:1:1"));
}
