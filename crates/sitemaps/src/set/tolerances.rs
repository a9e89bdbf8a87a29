//! The differences between the commands that read a set of sitemaps.

use std::path::Path;

use site_paths::BaseUrl;

/// How a command reads a set. Each field is one difference between commands.
#[derive(Debug, Clone, Copy)]
pub struct Tolerances<'a> {
    /// The files to begin with.
    pub roots: RootSearch,
    /// Treatment of an index that another index names.
    pub nesting: NestingRule,
    /// Where the children of an index are looked for.
    pub children: ChildRule<'a>,
    /// How much is read.
    pub limits: SetLimits,
    /// The consequence of an error.
    pub errors: ErrorPolicy,
    /// When two children are the same.
    pub repeats: RepeatRule,
}

/// The files to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootSearch {
    /// The set's own root, plain or compressed; if there is none, its text files.
    OwnName,
    /// Everything that a crawler finds: the names in robots.txt, the own name and well-known names.
    RobotsTxtAndWellKnownNames,
    /// Only the named files.
    AsNamed,
}

/// Treatment of an index that another index names. The protocol does not allow it, and no command
/// reads the children of such an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NestingRule {
    /// Its children are dropped.
    Dropped,
    /// Its children are kept for findings, but not read.
    Kept,
    /// It ends the walk.
    Refused,
}

/// Where the children of an index are looked for.
#[derive(Debug, Clone, Copy)]
pub enum ChildRule<'a> {
    /// Below the base URL, or next to the root by the file name if the index names another host.
    BelowBase(&'a BaseUrl),
    /// The same, and the file must exist in this directory.
    Existing(&'a BaseUrl, &'a Path),
    /// In this directory, at the path of the URL or with its file name, whichever host it names. The
    /// file must exist.
    InDirectory(&'a Path),
    /// On the host and port of the index.
    OnHostOfIndex,
}

/// How much is read. A limit that is exceeded is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetLimits {
    /// 50,000 children per index (sitemaps.org protocol).
    Children,
    /// Also 5 million pages in total: each takes some hundred bytes if it is compared.
    ChildrenAndPages,
}

/// The consequence of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorPolicy {
    /// It is kept with the file, and the walk continues.
    Kept,
    /// It ends the walk, because an incomplete set is worse than none.
    EndsWalk,
}

/// When two children are the same, so that only the first is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatRule {
    /// If their URLs are equal.
    SameUrl,
    /// If they are at the same place.
    SamePlace,
    /// Never: each is read as often as it is named.
    ReadAgain,
}

impl<'a> Tolerances<'a> {
    /// For `build`: the set that waypost itself wrote, or that it is about to replace.
    pub fn of_build(base: &'a BaseUrl) -> Self {
        Self {
            roots: RootSearch::OwnName,
            nesting: NestingRule::Dropped,
            children: ChildRule::BelowBase(base),
            limits: SetLimits::Children,
            errors: ErrorPolicy::Kept,
            repeats: RepeatRule::SameUrl,
        }
    }

    /// For `check`: what a crawler finds in this directory, whichever tool wrote it.
    pub fn of_check(base: &'a BaseUrl, dir: &'a Path) -> Self {
        Self {
            roots: RootSearch::RobotsTxtAndWellKnownNames,
            nesting: NestingRule::Kept,
            children: ChildRule::Existing(base, dir),
            limits: SetLimits::Children,
            errors: ErrorPolicy::Kept,
            repeats: RepeatRule::SamePlace,
        }
    }

    /// For `check FILE`: one file, and those it names in its directory.
    pub fn of_file(dir: &'a Path) -> Self {
        Self {
            roots: RootSearch::AsNamed,
            nesting: NestingRule::Kept,
            children: ChildRule::InDirectory(dir),
            limits: SetLimits::Children,
            errors: ErrorPolicy::Kept,
            repeats: RepeatRule::SamePlace,
        }
    }

    /// For `submit FILE`: one set of files, which must be complete.
    pub fn of_submitted_file(dir: &'a Path) -> Self {
        Self {
            children: ChildRule::InDirectory(dir),
            ..Self::of_submit()
        }
    }

    /// For `check URL`: what a server publishes, each file once.
    pub fn of_url() -> Self {
        Self {
            roots: RootSearch::AsNamed,
            nesting: NestingRule::Kept,
            children: ChildRule::OnHostOfIndex,
            limits: SetLimits::ChildrenAndPages,
            errors: ErrorPolicy::Kept,
            repeats: RepeatRule::SamePlace,
        }
    }

    /// For `submit`: one live sitemap, which must be complete.
    pub fn of_submit() -> Self {
        Self {
            roots: RootSearch::AsNamed,
            nesting: NestingRule::Refused,
            children: ChildRule::OnHostOfIndex,
            limits: SetLimits::ChildrenAndPages,
            errors: ErrorPolicy::EndsWalk,
            repeats: RepeatRule::ReadAgain,
        }
    }
}
