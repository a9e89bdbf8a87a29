//! Lists existing sitemaps in one index. They may come from shards of a build or from other tools.
//!
//! Takes the sitemaps named on the command line, and returns a plan and findings. Each is checked as
//! `waypost check` does; of an index, the sitemaps that it names are listed. A URL on another host is
//! listed unread. The sitemaps themselves stay where they are, and this module writes no files.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::check::{CheckedFile, KeptPages, OTHER_HOST, check_file};
use crate::findings::{Finding, HintedError, Subject, code};
use crate::settings::Settings;
use crate::site::LoadedSite;
use sitemaps::gzip::name_without_gz;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{LastMod, Plan, SitemapFileKind, quoted};

/// A sitemap that the index lists.
#[derive(Debug)]
pub struct ListedChild {
    /// Where it is served.
    pub url: PageUrl,
    /// The file; `None` if it is on another host, and unread. A feed has no pages, because it lists the
    /// newest ones again.
    pub file: Option<CheckedFile>,
}

/// The index to write.
#[derive(Debug)]
pub struct IndexPlan {
    /// The sitemaps that it lists, in the order in which they were named.
    pub children: Vec<ListedChild>,
    /// The files to write.
    pub plan: Plan,
    /// Problems of the sitemaps.
    pub findings: Vec<Finding>,
}

/// Plans an index over these sitemaps, in their order. A file that is named twice counts once.
///
/// An index written by an earlier run is skipped, because a pattern like `sitemap*.xml` matches it
/// too.
pub fn plan_index(
    named: &[PathBuf],
    loaded: &LoadedSite,
    base: &BaseUrl,
) -> Result<IndexPlan, HintedError> {
    let settings = loaded.settings();
    let (mut children, mut findings) = (Vec::new(), Vec::new());
    for path in named {
        match unread_child(path, base)? {
            Some(child) => children.push(child),
            None => children.extend(children_of(path, loaded, base, &mut findings)?),
        }
    }
    if children.is_empty() && findings.is_empty() {
        return Err(HintedError::new(
            "the only sitemap named is the index itself",
            "name the sitemaps to list in the index",
        ));
    }
    let children = without_repeats(children)?;
    refuse_pages_listed_twice(&children)?;
    for child in &children {
        if is_root(settings, base, &child.url) {
            return Err(own_file(&child.name()));
        }
        findings.extend(child.elsewhere(base));
    }
    let listed: Vec<_> = children
        .iter()
        .map(|child| (child.url.clone(), child.newest()))
        .collect();
    let plan = Plan::index_over(
        &listed,
        &settings.sitemap.for_set(),
        settings.lastmod.format,
        base,
    );
    Ok(IndexPlan {
        children,
        plan,
        findings,
    })
}

/// The sitemap at a URL that is named in place of a file.
fn unread_child(named: &Path, base: &BaseUrl) -> Result<Option<ListedChild>, HintedError> {
    let Some(named) = named.to_str().filter(|name| name.starts_with("https://")) else {
        return Ok(None);
    };
    match PageUrl::parse(named) {
        Some(url) if url.origin() != base.origin() => Ok(Some(ListedChild { url, file: None })),
        _ => Err(HintedError::new(
            format!("`{}` is not a URL on another host", named.escape_debug()),
            "name the file of a sitemap of this site; nothing is downloaded",
        )),
    }
}

/// The sitemaps of a given file: itself, or those that it names as an index; none if it is the index to
/// write, left by an earlier run.
fn children_of(
    path: &Path,
    loaded: &LoadedSite,
    base: &BaseUrl,
    findings: &mut Vec<Finding>,
) -> Result<Vec<ListedChild>, HintedError> {
    let settings = loaded.settings();
    let unreadable = |path: &Path, error: &io::Error| {
        HintedError::new(
            format!("`{}` cannot be read: {error}", path.display()),
            "name a file that the user who runs waypost can read; nothing is downloaded",
        )
    };
    // Links and `..` are resolved, so that two paths to one file are equal.
    let real = |path: &Path| {
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        fs::canonicalize(path).map_err(|error| unreadable(path, &error))
    };
    let file = real(path)?;
    let below = SitePath::below(&real(loaded.output_dir())?, &file);
    let own = below.map(|below| (base.file_url(&below), below));
    let set =
        check_file(path, loaded.now, KeptPages::All).map_err(|error| unreadable(path, &error))?;
    if let Some((url, _)) = &own
        && is_root(settings, base, url)
    {
        let head = set.files.first().map(|file| &file.read.head);
        let is_own = head.is_some_and(|head| {
            head.kind == SitemapFileKind::Index && head.has_mark(&settings.sitemap.file)
        });
        return if is_own {
            Ok(Vec::new())
        } else {
            Err(own_file(&path.display().to_string()))
        };
    }
    findings.extend(set.findings);
    let mut files = set.files.into_iter();
    Ok(match files.next() {
        None => Vec::new(),
        Some(index) if index.read.head.kind == SitemapFileKind::Index => {
            children_in(&index, files, findings)
        }
        Some(file) => {
            let (url, _) = own.ok_or_else(|| outside(path, loaded.output_dir()))?;
            let file = Some(file);
            vec![ListedChild { url, file }]
        }
    })
}

/// The sitemaps that an index names, of these files; missing ones are reported.
fn children_in(
    index: &CheckedFile,
    files: impl Iterator<Item = CheckedFile>,
    findings: &mut Vec<Finding>,
) -> Vec<ListedChild> {
    let mut listed = Vec::new();
    let mut files: BTreeMap<_, _> = files.map(|file| (file.file.place.clone(), file)).collect();
    for child in &index.read.children {
        let file = child.file.as_ref().and_then(|place| files.remove(place));
        match (file, PageUrl::parse(&child.loc)) {
            (file @ Some(_), Some(url)) => listed.push(ListedChild { url, file }),
            (None, Some(_)) if child.file.is_none() => {
                let (name, loc) = (&index.value.name, quoted(&child.loc));
                let message = format!("`{name}` names the sitemap `{loc}`, which is not there");
                let hint =
                    "copy all sitemaps of a set together, or name them instead of their index";
                let subject = index.value.subject.at(child.place);
                let finding = Finding::new(code::SITEMAP_MISSING, subject, message);
                findings.push(finding.with_hint(hint));
            }
            // The check reports a text that is not a URL, and a child that is named twice.
            _ => {}
        }
    }
    listed
}

impl ListedChild {
    /// Its path, as the user would name it, or its URL.
    pub fn name(&self) -> String {
        match &self.file {
            Some(file) => file.value.name.clone(),
            None => self.url.to_string(),
        }
    }

    /// The newest date that it lists.
    pub fn newest(&self) -> Option<LastMod> {
        self.file.as_ref()?.value.newest
    }

    /// The pages that it lists, without those of a feed.
    fn pages(&self) -> impl Iterator<Item = &str> {
        self.file
            .iter()
            .filter(|file| !matches!(file.read.head.kind, SitemapFileKind::Feed(_)))
            .flat_map(|file| &file.value.pages)
            .map(AsRef::as_ref)
    }

    /// The findings that it is on another host than the index, and about pages outside the directory in
    /// which it is served (sitemaps.org protocol, "Sitemap file location"): for each kind, the first page.
    fn elsewhere(&self, base: &BaseUrl) -> Vec<Finding> {
        let (name, url) = (self.name(), &self.url);
        let (host, dir) = (format!("{}/", url.origin()), dir_of(url));
        let mut pages = self.pages();
        let on_other_host = pages.find(|page| !page.starts_with(&host));
        let mut pages = self.pages();
        let in_other_dir = pages.find(|page| page.starts_with(&host) && !page.starts_with(dir));
        let lists = |page: &str, home: &str| {
            format!("`{name}` lists `{page}`, which is not below `{home}`")
        };
        let index = (url.origin() != base.origin()).then(|| {
            let origin = base.origin();
            format!("`{url}` is on another host, scheme or port than the index at `{origin}`")
        });
        let one_base = "use one base URL for all builds, or verify all hosts with each search engine and \
                        set `loc-elsewhere = \"allow\"` in `[levels]`";
        let found = [
            (code::LOC_ELSEWHERE_WARNING, index, OTHER_HOST),
            (
                code::LOC_ELSEWHERE,
                on_other_host.map(|page| lists(page, &host)),
                one_base,
            ),
            (
                code::SITEMAP_ELSEWHERE,
                in_other_dir.map(|page| lists(page, dir)),
                "serve it from a directory above everything that it lists",
            ),
        ];
        let subject = match &self.file {
            Some(file) => &file.value.subject,
            None => &Subject::Site,
        };
        let mut findings = Vec::new();
        for (code, message, hint) in found {
            findings.extend(
                message.map(|message| Finding::new(code, subject.clone(), message).with_hint(hint)),
            );
        }
        findings
    }
}

/// A URL up to its last slash.
fn dir_of(url: &PageUrl) -> &str {
    let text = url.as_str();
    let path = text.split(['?', '#']).next().unwrap_or(text);
    &path[..=path.rfind('/').expect("a URL has a path")]
}

/// Removes files that were named again. Two files at one URL are an error.
fn without_repeats(children: Vec<ListedChild>) -> Result<Vec<ListedChild>, HintedError> {
    let real = |child: &ListedChild| match &child.file.as_ref()?.value.subject {
        Subject::File(path, _) => fs::canonicalize(path).ok(),
        _ => None,
    };
    let mut numbers: HashMap<PageUrl, usize> = HashMap::new();
    let mut kept: Vec<ListedChild> = Vec::new();
    for child in children {
        let number = *numbers.entry(child.url.clone()).or_insert(kept.len());
        match kept.get(number) {
            None => kept.push(child),
            Some(first) if real(first) == real(&child) => {}
            Some(first) => {
                let (first, second, url) = (first.name(), child.name(), &child.url);
                return Err(HintedError::new(
                    format!("`{first}` and `{second}` are both served at `{url}`"),
                    "give the sitemaps of each part another name: set `sitemap.file` where it \
                     is built",
                ));
            }
        }
    }
    Ok(kept)
}

fn refuse_pages_listed_twice(children: &[ListedChild]) -> Result<(), HintedError> {
    let mut first_of: HashMap<&str, usize> = HashMap::new();
    for (number, child) in children.iter().enumerate() {
        for page in child.pages() {
            let first = *first_of.entry(page).or_insert(number);
            if first != number {
                let (first, second) = (children[first].name(), child.name());
                return Err(HintedError::new(
                    format!("`{page}` is listed in `{first}` and in `{second}`"),
                    "list it in one part: set `exclude` where the other is built; or name one of \
                     the two",
                ));
            }
        }
    }
    Ok(())
}

/// The error that a sitemap has no URL.
fn outside(path: &Path, output_dir: &Path) -> HintedError {
    let (path, dir) = (path.display(), output_dir.display());
    HintedError::new(
        format!("`{path}` is outside `{dir}`, so it has no URL below the base URL"),
        "copy it to the place from which it is served",
    )
}

/// The error that a sitemap would be overwritten.
fn own_file(name: &str) -> HintedError {
    HintedError::new(
        format!("`{name}` is both input and output"),
        "choose another file with `--to`, or remove it from the arguments",
    )
}

/// Whether a URL is that of the index.
fn is_root(settings: &Settings, base: &BaseUrl, url: &PageUrl) -> bool {
    let name = base.path_below(url);
    name.is_some_and(|name| name_without_gz(name) == settings.sitemap.file)
}
