//! Tests the facts of odd and hostile pages. Each page is data; each fact is what a browser's
//! parser sees.

use super::{Alternate, CanonicalLink, MetaTag, PageFacts, PageReader, ReadOptions, Region};

pub(super) fn facts_of(page: impl AsRef<[u8]>) -> PageFacts {
    PageReader::new(ReadOptions::default()).facts_of(page.as_ref())
}

/// A page with `head` in its head.
pub(super) fn with_head(head: &str) -> String {
    format!(
        "<!DOCTYPE html><html><head><title>t</title>{head}</head><body><p>x</p></body></html>\n"
    )
}

/// Robots tags as `region name=content`.
pub(super) fn robots(facts: &PageFacts) -> Vec<String> {
    facts
        .robots
        .iter()
        .map(|tag| format_tag(&tag.value))
        .collect()
}

pub(super) fn format_tag(tag: &MetaTag) -> String {
    format!("{:?} {}={}", tag.region, tag.name, tag.content)
}

pub(super) const NOINDEX: &str = "<meta name=\"robots\" content=\"noindex\">";

#[test]
fn a_robots_tag_is_read_in_every_form_that_html_allows() {
    let check =
        |page: &str, expected: &[&str]| assert_eq!(robots(&facts_of(page)), expected, "{page}");
    check(&with_head(NOINDEX), &["Head robots=noindex"]);
    check(
        &with_head("<meta name=\"robots\" content=\"NOINDEX , Follow\">"),
        &["Head robots=NOINDEX , Follow"],
    );
    check("<META NAME=ROBOTS CONTENT=NONE><p>x", &["Head ROBOTS=NONE"]);
    check(
        &with_head("<meta name=robots content=index><meta name=GoogleBot content=noindex>"),
        &["Head robots=index", "Head GoogleBot=noindex"],
    );
    check(
        &with_head(
            "<meta name=\"googlebot-news\" content=\"noindex\">\
             <meta name=otherbot content=noindex>",
        ),
        &[],
    );
    check(
        "<!DOCTYPE html><head><meta name=\"description\" name=\"robots\" content=\"noindex\">\
         </head><p>x",
        &[],
    );
    check(
        "<!DOCTYPE html><head><meta name=robots content=index content=noindex></head><p>x",
        &["Head robots=index"],
    );
    check(
        "<!DOCTYPE html><head><meta name=robots content=noindex/></head><p>x",
        &["Head robots=noindex/"],
    );
    check(
        &with_head("<meta name=\"robots\" content=\"no&#105;ndex\">"),
        &["Head robots=noindex"],
    );
    check(
        &with_head("<meta name=\"r&#111;bots\" content=\"\n\tnoindex\n\">"),
        &["Head robots=\n\tnoindex\n"],
    );
    check(
        &with_head("<meta name=\" robots \" content=\"noindex\">"),
        &["Head  robots =noindex"],
    );
    check(
        &with_head("<meta name=\"robots\" content=\"\"><meta name=robots>"),
        &["Head robots=", "Head robots="],
    );
    check(
        "<META NAME=robots CONTENT=noindex><TITLE>t</TITLE>",
        &["Head robots=noindex"],
    );
    check(
        "<!DOCTYPE html><head><meta\n\tname\n=\n\"robots\"\r\ncontent = 'noindex'\n></head><p>x",
        &["Head robots=noindex"],
    );
    check(
        &with_head(
            "<meta name=\"description\" content=\"a > b\"><meta name=robots content=noindex>",
        ),
        &["Head robots=noindex"],
    );
}

#[test]
fn lookalikes_of_robots_tags_are_kept_apart() {
    let check = |head: &str, expected: &str| {
        let facts = facts_of(with_head(head));
        assert_eq!(robots(&facts), [""; 0], "{head}");
        let lookalikes: Vec<_> = facts
            .robots_lookalikes
            .iter()
            .map(|tag| format_tag(&tag.value))
            .collect();
        assert_eq!(lookalikes, [expected], "{head}");
    };
    check(
        "<meta property=\"robots\" content=\"noindex\">",
        "Head property=noindex",
    );
    check(
        "<meta http-equiv=\"X-Robots-Tag\" content=\"noindex\">",
        "Head http-equiv=noindex",
    );
}

#[test]
fn a_tag_counts_only_if_a_browser_sees_it() {
    let check = |page: &[u8], expected: &[&str]| {
        assert_eq!(
            robots(&facts_of(page)),
            expected,
            "{}",
            String::from_utf8_lossy(page)
        );
    };
    let head = |head: &str, expected: &[&str]| check(with_head(head).as_bytes(), expected);
    let in_head: &[&str] = &["Head robots=noindex"];
    let in_body: &[&str] = &["Body robots=noindex"];
    head(&format!("<!-- {NOINDEX} -->"), &[]);
    head(&format!("<script>var s='{NOINDEX}';</script>"), &[]);
    head(
        &format!("<style>{NOINDEX}</style><textarea>{NOINDEX}</textarea><xmp>{NOINDEX}</xmp>"),
        &[],
    );
    head(
        &format!("<template>{NOINDEX}<template></template>{NOINDEX}</template>"),
        &[],
    );
    head(
        &format!("<template><p>x</p></body></template>{NOINDEX}"),
        in_head,
    );
    head(
        &format!("<noscript>{NOINDEX}</noscript>"),
        &["Noscript robots=noindex"],
    );
    head(
        &format!("<noscript><!-- {NOINDEX} --><template>{NOINDEX}</template></noscript>"),
        &[],
    );
    head(&format!("<img src=\"x.png\">{NOINDEX}"), in_body);
    head(&format!("<![CDATA[{NOINDEX}]]>"), &[]);
    head(&format!("</head><body><p>a</p>{NOINDEX}"), in_body);
    head(&format!("</head><body><svg>{NOINDEX}</svg>"), in_body);
    head(
        &format!("</head><body><svg/><script>'{NOINDEX}'</script>"),
        &[],
    );
    head(
        &format!("</head><body><svg><svg/></svg><style>{NOINDEX}</style>"),
        &[],
    );
    head(
        &format!("</head><body><svg><![CDATA[x]]></svg><style>{NOINDEX}</style>"),
        &[],
    );
    head(
        "</head><body><iframe srcdoc=\"&lt;meta name=robots content=noindex&gt;\"></iframe>",
        &[],
    );
    check(
        format!("<head><title>t</title><!-- {NOINDEX}</head><p>x").as_bytes(),
        &[],
    );
    check(
        format!("<head><title>t</title><!-->{NOINDEX}--></head><p>x").as_bytes(),
        in_head,
    );
    check(
        format!("<head><title>How to use {NOINDEX}</title></head><p>x").as_bytes(),
        &[],
    );
    check(
        format!("<head><title>t {NOINDEX}</head><p>x").as_bytes(),
        &[],
    );
    check(
        b"<head><title>t</title><meta name=\"robots\" content=\"noindex\"",
        &[],
    );
    check(b"<p><meta name=\"robots\" content=\"noindex\"", &[]);
    check(
        format!("<title>t</title></head><body><plaintext>{NOINDEX}").as_bytes(),
        &[],
    );
    check(
        format!("<!DOCTYPE html><title>t</title>\0{NOINDEX}</head><p>x").as_bytes(),
        in_body,
    );
    check(
        b"<!DOCTYPE html><title>t</title><me\0ta name=robots content=noindex><p>x",
        &[],
    );
    check(format!("hello {NOINDEX}").as_bytes(), in_body);
    check(format!("<frameset>{NOINDEX}</frameset>").as_bytes(), &[]);
    check(format!("</br>{NOINDEX}").as_bytes(), in_body);
    check(format!("<head></head> {NOINDEX}<body>").as_bytes(), in_head);
    check(
        format!("<head></head><noscript></noscript>{NOINDEX}<body>").as_bytes(),
        in_body,
    );
}

#[test]
fn canonicals_are_read_with_their_region_and_qualification() {
    let check = |page: &str, expected: &[(&str, Region, bool)]| {
        let links: Vec<CanonicalLink> = facts_of(page)
            .canonicals
            .into_iter()
            .map(|link| link.value)
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|&(href, region, qualified)| CanonicalLink {
                href: href.to_owned(),
                region,
                qualified,
            })
            .collect();
        assert_eq!(links, expected, "{page}");
    };
    let head = |head: &str, expected: &[(&str, Region, bool)]| check(&with_head(head), expected);
    let in_head = |href| (href, Region::Head, false);
    let in_body = |href| (href, Region::Body, false);
    head(
        "<link rel=\"canonical\" href=\"p.html\">",
        &[in_head("p.html")],
    );
    head(
        "<link rel=\"canonical\" href=\"\"><link rel=canonical>",
        &[],
    );
    head(
        "<link rel=\"canonical\" href=\"/a\"><link rel=\"canonical\" href=\"/b\">",
        &[in_head("/a"), in_head("/b")],
    );
    head(
        "<link rel=\"nofollow CANONICAL\" href=\"/a\">",
        &[in_head("/a")],
    );
    head(
        "<link rel=\"canonical\" href=\"/a\" media=\"print\">",
        &[("/a", Region::Head, true)],
    );
    head(
        "<link rel=\"canonical\" href=\"/a&amp;b.html\">",
        &[in_head("/a&b.html")],
    );
    head(
        "<link rel=\"canonical\" href=\"/x&copy=2.html\">",
        &[in_head("/x&copy=2.html")],
    );
    head(
        "<link rel=\"canonical\" href=\" \nhttps://example.com/p\n.html\t\">",
        &[in_head(" \nhttps://example.com/p\n.html\t")],
    );
    head(
        "<link rel=\"canonical\" href=\"/café.html\">",
        &[in_head("/café.html")],
    );
    head(
        "<img src=\"a.png\"><link rel=\"canonical\" href=\"/a\">",
        &[in_body("/a")],
    );
    head(
        "</head><body><link rel=\"canonical\" href=\"/a\">",
        &[in_body("/a")],
    );
    head(
        "</head><body><svg><link rel=\"canonical\" href=\"/a\"></svg>",
        &[],
    );
    head(
        "</head><body><svg><g/></svg><link rel=\"canonical\" href=\"/a\">",
        &[in_body("/a")],
    );
    head(
        "<noscript><link rel=\"canonical\" href=\"/a\"></noscript>",
        &[("/a", Region::Noscript, false)],
    );
    head("<meta property=\"og:url\" content=\"/a\">", &[]);
    check(
        "<link rel=canonical href=/a></head><link rel=canonical href=/b><p>\
         <link rel=canonical href=/c>",
        &[in_head("/a"), in_head("/b"), in_body("/c")],
    );
}

#[test]
fn the_first_base_with_an_href_counts() {
    let check = |page: &str, expected: Option<&str>| {
        assert_eq!(
            facts_of(page).base.map(|base| base.value).as_deref(),
            expected,
            "{page}"
        );
    };
    check(
        "<head><base target=\"_top\"><base href=\"/docs/\"><base href=\"/x/\"></head><p>x",
        Some("/docs/"),
    );
    check(
        "<head><title>t</title></head><body><base href=\"/docs/\">",
        Some("/docs/"),
    );
    check("<head><title>t</title></head><p>x", None);
}

#[test]
fn refreshes_are_read_in_head_body_and_noscript() {
    let check = |page: &str, expected: &[&str]| {
        let refreshes: Vec<_> = facts_of(page)
            .refreshes
            .iter()
            .map(|tag| format_tag(&tag.value))
            .collect();
        assert_eq!(refreshes, expected, "{page}");
    };
    let head = |head: &str, expected: &[&str]| check(&with_head(head), expected);
    head(
        "<meta http-equiv=\"refresh\" content=\"0; url=/other.html\">",
        &["Head refresh=0; url=/other.html"],
    );
    head(
        "<meta content=\"0; url = '/other.html'\" http-equiv=Refresh>",
        &["Head Refresh=0; url = '/other.html'"],
    );
    head(
        "<meta http-equiv=\" refresh\" content=0><meta http-equiv=refresh content=''>\
         <meta http-equiv=refresh>",
        &[],
    );
    head(
        "<noscript><meta http-equiv=\"refresh\" content=\"0; url=/nojs.html\"></noscript>",
        &["Noscript refresh=0; url=/nojs.html"],
    );
    head(
        "</head><body><meta http-equiv=\"refresh\" content=\"0; url=/other.html\">",
        &["Body refresh=0; url=/other.html"],
    );
}

#[test]
fn a_script_that_redirects_is_reported_only_from_the_head() {
    let check = |page: &str, expected: Option<&str>| {
        let facts = facts_of(page);
        assert_eq!(facts.redirect_script.as_deref(), expected, "{page}");
    };
    let script = "\n  const target = \"https://example.com/new/\";\n  const hash = \
                  window.location.hash || \"\";\n  window.location.replace(target + hash);\n";
    let zola = format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Redirect</title>\n\
         <script>{script}</script>\n<noscript>\n  <meta http-equiv=\"refresh\" content=\"0; \
         url=https://example.com/new/\">\n</noscript>\n\
         <p><a href=\"https://example.com/new/\">Click here</a> to be redirected.</p>\n"
    );
    check(&zola, Some(script));
    assert_eq!(
        format_tag(&facts_of(&zola).refreshes[0].value),
        "Noscript refresh=0; url=https://example.com/new/"
    );
    let first = "location='/other.html'";
    let redirect = format!("<script>{first}</script>");
    check(&format!("<script>load()</script>{redirect}"), Some(first));
    check(
        &format!("{redirect}<script>location='/b'</script>"),
        Some(first),
    );
    check(
        &format!("<script type=application/json>{first}</script>"),
        None,
    );
    check(&format!("<script src=x.js>{first}</script>"), None);
    check(&format!("<script>{first}"), None);
    check(&format!("<template>{redirect}</template>"), None);
    check(&format!("<p>{redirect}"), None);
    check(
        &format!("<script>{first}//{}</script>", "a".repeat(2048)),
        None,
    );
}

#[test]
fn alternates_are_read_with_their_region() {
    let page = with_head(
        "<link rel=\"alternate\" hreflang=\"en\" href=\"./\">\
         <link rel=\"alternate\" href=\"/feed.xml\" type=\"x\">\
         <link rel=alternate hreflang=en type=application/rss+xml href=/rss.xml>\
         <link rel=alternate hreflang=fr href=''></head><body>\
         <link rel=\"Alternate\" hreflang=\"x-default\" href=\"../de/\">",
    );
    let alternates: Vec<_> = facts_of(page)
        .alternates
        .into_iter()
        .map(|link| link.value)
        .collect();
    let alternate = |hreflang: &str, href: &str, region| Alternate {
        hreflang: hreflang.into(),
        href: href.into(),
        region,
    };
    assert_eq!(
        alternates,
        [
            alternate("en", "./", Region::Head),
            alternate("x-default", "../de/", Region::Body)
        ]
    );
}

#[test]
fn the_best_modification_date_counts_anywhere_in_the_page() {
    let check = |page: &str, expected: Option<&str>| {
        assert_eq!(
            facts_of(page)
                .modified
                .map(|stated| stated.value)
                .as_deref(),
            expected,
            "{page}"
        );
    };
    let best = "<meta property=\"article:modified_time\" content=\"2024-01-01\">";
    let second = "<meta property=\"og:updated_time\" content=\"2024-02-02\">";
    let last = "<meta itemprop=dateModified content=2024-04-04>";
    check(
        &with_head(&format!("{second}{best}{best}")),
        Some("2024-01-01"),
    );
    check(
        &with_head("<meta name=Last-Modified content=2024-03-03>"),
        Some("2024-03-03"),
    );
    check(
        &with_head(&format!("{second}</head><body>{last}")),
        Some("2024-02-02"),
    );
    check(
        &with_head(&format!("</head><body><p>{last}")),
        Some("2024-04-04"),
    );
    check(
        &with_head(&format!(
            "<noscript>{best}</noscript><meta property=article:modified_time content=' '>"
        )),
        None,
    );
}

#[test]
fn a_template_can_name_the_source() {
    let facts = facts_of(with_head(
        "<meta name=\"waypost:source\" content=\"content/a.md\">",
    ));
    assert_eq!(
        facts.source_hint.map(|hint| hint.value).as_deref(),
        Some("content/a.md")
    );
}

#[test]
fn images_are_read_once_each_when_wanted() {
    let page = with_head(
        "</head><body><img src=\"i/a.png\"><IMG SRC=\"i/a.png\"><img alt=\"x\">\
         <image src=\"b?w=1&amp;h=2\"><svg><image src=\"c.png\"/></svg><noscript>\
         <img src=d.png></noscript><template><img src=e.png></template>",
    );
    assert_eq!(facts_of(&page).images, [""; 0]);
    let facts = PageReader::new(ReadOptions {
        images: true,
        ..ReadOptions::default()
    })
    .facts_of(page.as_bytes());
    assert_eq!(facts.images, ["i/a.png", "b?w=1&h=2"]);
}
