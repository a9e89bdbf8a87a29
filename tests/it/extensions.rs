//! Tests Google's extensions: news in separate files, videos in the entries of pages.

use crate::cases::schema;
use crate::site_test::SiteTest;

const NEWS: &str = "\
lastmod.from = [\"page\"]
[[rule]]
match = \"news/**\"
news = { name = \"The Example\", language = \"en\" }
";

/// The suite's clock is set to 2026-01-15T12:00:00Z.
fn published(date: &str) -> String {
    format!("<meta property=article:published_time content=\"{date}\">")
}

fn json_ld(json: &str) -> String {
    format!("<script type=application/ld+json>{json}</script>")
}

fn entry_of(site: &SiteTest, file: &str, path: &str) -> Option<String> {
    schema::check(&site.root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let loc = format!("<url><loc>https://example.com/{path}</loc>");
    site.read(file).lines().find_map(|line| {
        line.strip_prefix(&loc)?
            .strip_suffix("</url>")
            .map(str::to_owned)
    })
}

#[test]
fn news_of_the_last_two_days_is_in_a_separate_file() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings(NEWS).write("robots.txt", "");
    let headline = json_ld(
        "{\"@context\": \"https://schema.org\", \"@graph\": [{\"@type\": \"NewsArticle\", \
         \"headline\": \"A & B\", \"datePublished\": \"2026-01-14T10:00:00+01:00\"}]}",
    );
    let modified = "<meta property=article:modified_time content=2026-01-15>";
    site.page(
        "news/no.html",
        &(published("2026-01-15") + "<meta name=googlebot-news content='nosnippet, NoIndex'>"),
    );
    site.page("news/a.html", &(headline + modified))
        .page("news/old.html", &published("2026-01-13T11:59:59Z"));
    site.page("news/day.html", &published("2026-01-13"))
        .page("elsewhere.html", &published("2026-01-15"));
    site.page(
        "news/out.html",
        &(published("2026-01-15") + "<meta name=robots content=noindex>"),
    );
    site.build();
    let expected = |date: &str, title: &str| {
        Some(format!(
            "<news:news><news:publication><news:name>The Example</news:name>\
             <news:language>en</news:language></news:publication>\
             <news:publication_date>{date}</news:publication_date>\
             <news:title>{title}</news:title></news:news>"
        ))
    };
    let news = |path: &str| entry_of(&site, "sitemap-news.xml", path);
    assert_eq!(
        news("news/a.html"),
        expected("2026-01-14T10:00:00+01:00", "A &amp; B")
    );
    assert_eq!(news("news/day.html"), expected("2026-01-13", "t"));
    assert_eq!(site.read("sitemap-news.xml").matches("<url>").count(), 2);
    assert_eq!(
        entry_of(&site, "sitemap.xml", "news/old.html"),
        Some(String::new())
    );
    let lines =
        "Sitemap: https://example.com/sitemap.xml\nSitemap: https://example.com/sitemap-news.xml\n";
    assert_eq!(site.read("robots.txt"), lines);
    site.waypost(&["check", "--strict"]).succeeded();
}

#[test]
fn a_news_sitemap_is_removed_when_its_news_is_old() {
    let mut site = SiteTest::of_pages(&["index.html"]);
    site.settings(NEWS)
        .page("news/a.html", &published("2026-01-15T08:00:00Z"));
    site.write("robots.txt", "Allow: /\n").build();
    assert!(site.root().join("sitemap-news.xml").exists());
    site.variable("SOURCE_DATE_EPOCH", "1768700000").build();
    assert!(!site.root().join("sitemap-news.xml").exists());
    assert_eq!(
        site.read("robots.txt"),
        "Allow: /\nSitemap: https://example.com/sitemap.xml\n"
    );
}

#[test]
fn news_without_a_date_is_reported_unless_its_source_has_one() {
    let site = SiteTest::empty();
    let rule =
        "[[extra.waypost.rule]]\nmatch = \"news/**\"\nnews = { name = \"N\", language = \"de\" }\n";
    site.write(
        "config.toml",
        format!("base_url = \"https://example.com\"\n{rule}"),
    );
    site.write("content/news/a.md", "+++\ndate = 2026-01-15\n+++\n")
        .write("content/news/b.md", "+++\n+++\n");
    site.page("public/index.html", "")
        .page("public/news/a/index.html", "")
        .page("public/news/b/index.html", "");
    let warning = "warning[news-incomplete]: `news/b/index.html` \
                   is marked as news by a rule but has no valid date of publication";
    site.build()
        .says(warning)
        .says_nothing_of("`news/a/index.html` is news");
    let news = entry_of(&site, "public/sitemap-news.xml", "news/a/").expect("the page is listed");
    assert!(
        news.contains("<news:publication_date>2026-01-15</news:publication_date>"),
        "{news}"
    );
}

#[test]
fn a_group_must_not_have_the_name_of_the_news_sitemap() {
    let site = SiteTest::of_pages(&["index.html"]);
    site.settings("[[rule]]\nmatch = \"**\"\ngroup = \"news\"\n");
    site.waypost(&[])
        .ended_with(2)
        .says("`news` is not a valid group name");
}

#[test]
fn videos_are_written_as_stated_by_their_page() {
    let site = SiteTest::empty();
    site.settings("sitemap.videos = true\nlastmod.from = []\n");
    let whole = "{\"@type\": \"VideoObject\", \"name\": \"A &lt; B\", \"description\": [\"D\"], \
                 \"thumbnailUrl\": [\"/t.jpg\"], \"contentUrl\": \"v.mp4\", \
                 \"embedUrl\": \"https://player.example/?v=1&a=2\", \"duration\": \"PT1M33S\", \
                 \"uploadDate\": \"2024-05-06\"}";
    site.page("a.html", &json_ld(&format!("[{whole}, {whole}]")));
    let tags = |video: &str| {
        format!(
            "<meta name=description content=D><meta property=og:image content=t.jpg>\
             <meta property=og:title content=T><meta property=og:video content={video}>"
        )
    };
    site.page("b/index.html", &tags("/v.webm?x"))
        .page("c.html", &tags("https://player.example/1"));
    site.page(
        "own.html",
        &json_ld(&whole.replace("v.mp4", "own.html").replace("embedUrl", "x")),
    );
    for file in ["t.jpg", "v.mp4", "b/t.jpg", "v.webm"] {
        site.write(file, "");
    }
    site.page(
        "unbuilt.html",
        &json_ld(&whole.replace("/t.jpg", "/gone.jpg")),
    );
    site.page(
        "poor.html",
        &json_ld("{\"@type\": \"VideoObject\", \"name\": \"N\", \"embedUrl\": \"/p\"}"),
    );
    let outcome = site.waypost(&["-v"]).succeeded();
    let video = |path: &str| entry_of(&site, "sitemap.xml", path).expect("the page is listed");
    let expected = "<video:video><video:thumbnail_loc>https://example.com/t.jpg\
                    </video:thumbnail_loc><video:title>A &amp;lt; B</video:title>\
                    <video:description>D</video:description>\
                    <video:content_loc>https://example.com/v.mp4</video:content_loc>\
                    <video:player_loc>https://player.example/?v=1&amp;a=2</video:player_loc>\
                    <video:duration>93</video:duration>\
                    <video:publication_date>2024-05-06</video:publication_date></video:video>";
    assert_eq!(video("a.html"), expected);
    let expected = "<video:video><video:thumbnail_loc>https://example.com/b/t.jpg\
                    </video:thumbnail_loc><video:title>T</video:title>\
                    <video:description>D</video:description>\
                    <video:content_loc>https://example.com/v.webm?x</video:content_loc>\
                    </video:video>";
    assert_eq!(video("b/"), expected);
    assert!(
        video("c.html").ends_with(
            "<video:player_loc>https://player.example/1</video:player_loc></video:video>"
        )
    );
    assert_eq!(
        ["own.html", "poor.html", "unbuilt.html"].map(video),
        [""; 3]
    );
    outcome
        .says("`unbuilt.html` names the video thumbnail `https://example.com/gone.jpg`, which the build")
        .says("a video of `own.html` has no `contentUrl` or `embedUrl`, so it is not written")
        .says(
            "a video of `poor.html` has no `description`, no `thumbnailUrl`, so it is not written",
        );
}

#[test]
fn videos_are_ignored_unless_enabled() {
    let site = SiteTest::of_pages(&[]);
    site.page("a.html", &json_ld("{\"@type\": \"VideoObject\"}"));
    site.build().says_nothing_of("video");
    assert!(!site.read("sitemap.xml").contains("video"));
}

#[test]
fn files_with_videos_have_the_planned_length_and_are_split_by_bytes() {
    let site = SiteTest::empty();
    site.settings("sitemap.videos = true\nsitemap.max_bytes = 2500\nlastmod.from = []\n");
    site.write("t.jpg", "").write("v.mp4", "");
    for number in 0..20 {
        let video = "{\"@type\": \"VideoObject\", \"name\": \"é&\", \"description\": \"D\", \
                     \"thumbnailUrl\": \"t.jpg\", \"contentUrl\": \"v.mp4\"}";
        site.page(format!("{number}.html"), &json_ld(video));
    }
    let result = site.build_json();
    let files = result["files"].as_array().expect("`files` is an array");
    assert!(files.len() > 3, "{result}");
    let names = files.iter().filter_map(|file| file["path"].as_str());
    for name in names.filter(|name| name.starts_with("sitemap")) {
        assert!(site.bytes(name).len() <= 2500, "{name}");
        schema::check(&site.root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
