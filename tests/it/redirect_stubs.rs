//! Tests the redirect pages of generators, complete, as the generators write them.

use crate::site_test::SiteTest;

/// What each generator writes to `old/index.html` for a page that moved to `new/index.html`.
const STUBS: [(&str, &str); 8] = [
    (
        "Hugo, alias",
        r#"<!DOCTYPE html>
<html lang="en">
  <head>
    <title>https://example.com/new/</title>
    <link rel="canonical" href="https://example.com/new/">
    <meta charset="utf-8">
    <meta http-equiv="refresh" content="0; url=https://example.com/new/">
  </head>
</html>
"#,
    ),
    (
        "Hugo with --minify",
        "<!doctype html><html lang=en><head><title>https://example.com/new/</title>\
         <link rel=canonical href=https://example.com/new/><meta charset=utf-8>\
         <meta http-equiv=refresh content=\"0; url=https://example.com/new/\"></head></html>",
    ),
    (
        "Zola up to 0.20",
        r#"<!doctype html>
<meta charset="utf-8">
<link rel="canonical" href="https://example.com/new/">
<meta http-equiv="refresh" content="0; url=https://example.com/new/">
<title>Redirect</title>
<p><a href="https://example.com/new/">Click here</a> to be redirected.</p>
"#,
    ),
    (
        "Zola from 0.21",
        r#"<!doctype html>
<meta charset="utf-8">
<title>Redirect</title>
<script>
  const target = "https://example.com/new/";
  const hash = window.location.hash || "";
  window.location.replace(target + hash);
</script>
<noscript>
  <meta http-equiv="refresh" content="0; url=https://example.com/new/">
</noscript>
<p><a href="https://example.com/new/">Click here</a> to be redirected.</p>
"#,
    ),
    (
        "mdBook, [output.html.redirect]",
        r#"<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Redirecting...</title>
    <meta http-equiv="refresh" content="0; URL=../new/index.html">
    <link rel="canonical" href="../new/index.html">
  </head>
  <body>
    <p>Redirecting to... <a href="../new/index.html">../new/index.html</a>.</p>
  </body>
</html>
"#,
    ),
    (
        "MkDocs, redirects plugin",
        r##"<!doctype html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <title>Redirecting...</title>
    <link rel="canonical" href="../new/">
    <script>var anchor=window.location.hash.substr(1);location.href="../new/"+(anchor?"#"+anchor:"")</script>
    <meta http-equiv="refresh" content="0; url=../new/">
</head>
<body>
You're being redirected to a <a href="../new/">new destination</a>.
</body>
</html>
"##,
    ),
    (
        "Jekyll, redirect-from",
        r#"<!DOCTYPE html>
<html lang="en-US">
  <meta charset="utf-8">
  <title>Redirecting&hellip;</title>
  <link rel="canonical" href="https://example.com/new/">
  <script>location="https://example.com/new/"</script>
  <meta http-equiv="refresh" content="0; url=https://example.com/new/">
  <meta name="robots" content="noindex">
  <h1>Redirecting&hellip;</h1>
  <a href="https://example.com/new/">Click here if you are not redirected.</a>
</html>
"#,
    ),
    (
        "Astro, Astro.redirect()",
        r#"<!doctype html>
<title>Redirecting to: /new/</title>
<meta http-equiv="refresh" content="0;url=/new/">
<meta name="robots" content="noindex">
<link rel="canonical" href="https://example.com/new/">
<body>
    <a href="/new/">Redirecting from <code>/old/</code> to <code>/new/</code></a>
</body>
"#,
    ),
];

#[test]
fn the_redirect_pages_of_every_generator_are_detected() {
    for (generator, stub) in STUBS {
        let site = SiteTest::of_pages(&["new/index.html"]);
        site.write("old/index.html", stub);
        site.build();
        assert_eq!(site.urls(), ["https://example.com/new/"], "{generator}");
        let pages = site.explain();
        let old = &pages["old/index.html"];
        assert_eq!(old["reason"], "redirect", "{generator}");
        assert_eq!(
            old["evidence"],
            "redirects to https://example.com/new/".to_owned() + suffix_of(generator),
            "{generator}"
        );
    }
}

/// mdBook links to the file, the others to its directory.
fn suffix_of(generator: &str) -> &'static str {
    if generator.starts_with("mdBook") {
        "index.html"
    } else {
        ""
    }
}
