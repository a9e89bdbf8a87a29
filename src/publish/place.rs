//! Plan → disk, in an order in which no page is ever lost.
//!
//! Killed after any step, a reader that starts at the root sees whole files, every URL that is in both the old and the
//! new set, and none that is in neither:
//!
//! 1. Children whose names the old root does not know come first: nobody sees them yet.
//! 2. Children that the old root names are replaced under its eyes. Their URLs are decided by group and hash, so a
//!    child loses only pages that are gone. Where a page does move from one of them to another file (its group changed,
//!    or a foreign sitemap had that name), a bridge comes before: each child that would lose a page is kept under a
//!    second name, and the root becomes an index over the old children and these copies.
//! 3. Further indexes, then the root, from which on only the new set is seen.
//! 4. robots.txt.
//! 5. What is no longer needed is removed: roots before children, and the copies of the bridge.
//!
//! What the order is made of is decided here; `disk.rs` takes the steps.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;

use super::bridge::bridge_steps;
use super::disk::{DiskError, DiskStep, LockedOutputDir, PlaceState, WriteMode};
use super::stale::stale_files;
use crate::config::SubmitKey;
use crate::site_paths::SitePath;
use crate::sitemaps::gzip::{FileCompression, unpacked_name};
use crate::sitemaps::names::{SetFileName, SetFileNames};
use crate::sitemaps::plan::{Plan, PlannedFile, PlannedFileKind};
use crate::sitemaps::previous::PreviousSet;

/// Files that are rendered, compressed and compared at the same time: each is in memory as a whole.
const AT_ONCE: usize = 4;

/// What the file of the key is called wherever something is shown.
const MASKED_KEY_FILE: &str = "********.txt";

/// What was done to the output folder, or would be.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PublishReport {
    /// The files of the set, in the plan's order.
    pub files: Vec<WrittenFile>,
    /// robots.txt, where its text was given.
    pub robots_txt: Option<WrittenFile>,
    /// The file of the key, where there is one; its name is not the real one.
    pub key_file: Option<WrittenFile>,
    /// What was removed, relative to the output folder, sorted.
    pub removed: Vec<SitePath>,
    /// Text sitemaps with names of the set that are neither written nor removed, as nothing proves whose they are.
    pub unproven: Vec<SitePath>,
}

/// A file of the set, as it stands on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its name in the output folder.
    pub path: String,
    /// How many URLs it lists; of an index, how many sitemaps; of robots.txt, none.
    pub urls: usize,
    /// How long it is on disk.
    pub bytes: usize,
    /// Whether it had to be written; a file with the same bytes is not touched.
    pub changed: bool,
}

/// What is to be placed beside the sitemaps, and what may go.
#[derive(Clone, Copy)]
pub struct SurroundingFiles<'a> {
    /// The whole new text of robots.txt; `None` leaves it as it is.
    pub robots_txt: Option<&'a [u8]>,
    /// The key that is to lie in a file of its own, named after it.
    pub key: Option<&'a SubmitKey>,
    /// Whether a file, relative to the output folder, is one that the site's generator writes as a child of its own
    /// index; such a file is removed when an index that names it is replaced.
    pub is_generators_sitemap: &'a dyn Fn(&str) -> bool,
}

/// Puts the plan's files in place of what stands in the output folder.
///
/// A plan without files changes nothing: that no page is left usually means that the folder is the wrong one.
pub fn place(
    plan: &Plan,
    output_dir: &Path,
    surroundings: SurroundingFiles<'_>,
) -> Result<PublishReport, DiskError> {
    LockedOutputDir::open(output_dir, WriteMode::Write)?.place(plan, surroundings)
}

impl LockedOutputDir<'_> {
    /// Puts the plan's files in place, and lets go of the folder; where nothing may be changed, tells what it would do.
    pub fn place(
        self,
        plan: &Plan,
        surroundings: SurroundingFiles<'_>,
    ) -> Result<PublishReport, DiskError> {
        let result = prepare(plan, &self, surroundings).and_then(|(steps, placed)| {
            if self.effect() == WriteMode::Write {
                steps.iter().try_for_each(DiskStep::take)?;
            }
            Ok(placed)
        });
        let closed = self.close();
        result
            .and_then(|placed| closed.map(|()| placed))
            .map_err(|error| masked(error, surroundings.key))
    }
}

/// An error without the name of the key's file, which is the key.
fn masked(error: DiskError, key: Option<&SubmitKey>) -> DiskError {
    match key {
        Some(key) => error.with_another_name(&key.file_name(), MASKED_KEY_FILE),
        None => error,
    }
}

/// A file of the plan, staged where it differs from what stands on disk.
pub(super) struct StagedFile<'a> {
    pub planned: &'a PlannedFile,
    pub written: WrittenFile,
    pub step: Option<DiskStep>,
}

/// When a step is taken, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum StepOrder {
    Leftover,
    UnseenFile,
    Bridge,
    SeenFile,
    FurtherIndex,
    Root,
    RobotsTxt,
    Removal,
}

/// Stages every file that differs, and puts the steps into their order.
pub(super) fn prepare(
    plan: &Plan,
    folder: &LockedOutputDir<'_>,
    surroundings: SurroundingFiles<'_>,
) -> Result<(Vec<DiskStep>, PublishReport), DiskError> {
    if plan.files.is_empty() {
        return Ok(Default::default());
    }
    let previous = PreviousSet::find(
        folder.contents(),
        &plan.base,
        SetFileNames { root: &plan.root },
    );
    let mut staged = stage_files(plan, folder)?;
    let robots_txt = surroundings
        .robots_txt
        .map(|text| stage_bytes(folder, "robots.txt".to_owned(), 0, text));
    let (robots_txt, robots_step) = robots_txt.transpose()?.unzip();
    let (key_file, key_step) = surroundings
        .key
        .map(|key| stage_key(folder, key))
        .transpose()?
        .unzip();
    let files: Vec<_> = staged.iter().map(|file| file.written.clone()).collect();
    let bridge = bridge_steps(plan, folder, &previous, &mut staged)?;
    let stale = stale_files(plan, folder, &previous, surroundings.is_generators_sitemap)?;

    let seen: BTreeSet<_> = previous.child_names().collect();
    let of_files = staged
        .into_iter()
        .filter_map(|file| Some((turn_of(&file, plan, &seen), file.step?)));
    let mut steps: Vec<_> = of_files.collect();
    let copies = bridge
        .iter()
        .filter_map(DiskStep::copy)
        .map(|copy| DiskStep::Remove {
            file: copy.to_owned(),
        });
    steps.extend(copies.map(|step| (StepOrder::Removal, step)));
    steps.extend(bridge.into_iter().map(|step| (StepOrder::Bridge, step)));
    steps.extend(key_step.flatten().map(|step| (StepOrder::UnseenFile, step)));
    steps.extend(
        robots_step
            .flatten()
            .map(|step| (StepOrder::RobotsTxt, step)),
    );
    let removals = stale
        .files
        .iter()
        .map(|(file, path)| (turn_of_stale(file, plan, &previous), path.clone()));
    steps.extend(removals.map(|(turn, file)| (turn, DiskStep::Remove { file })));
    steps.sort_by_key(|&(turn, _)| turn);

    let mut removed: Vec<_> = stale.files.into_iter().map(|(file, _)| file).collect();
    removed.sort_unstable();
    Ok((
        steps.into_iter().map(|(_, step)| step).collect(),
        PublishReport {
            files,
            robots_txt,
            key_file,
            removed,
            unproven: stale.unproven,
        },
    ))
}

/// When a file is put in its place, by whether a reader of the old set is led to its name.
fn turn_of(file: &StagedFile<'_>, plan: &Plan, seen: &BTreeSet<&str>) -> StepOrder {
    match file.planned.kind {
        _ if unpacked_name(&file.planned.name) == plan.root => StepOrder::Root,
        PlannedFileKind::Index => StepOrder::FurtherIndex,
        _ if seen.contains(file.written.path.as_str()) => StepOrder::SeenFile,
        _ => StepOrder::UnseenFile,
    }
}

/// A further index that a killed run has left goes first: beside a new root it would count again.
fn turn_of_stale(file: &SitePath, plan: &Plan, previous: &PreviousSet) -> StepOrder {
    let name = file.to_text();
    let is_index = SetFileNames { root: &plan.root }.classify(&name) == Some(SetFileName::Index);
    if is_index && !previous.roots.iter().any(|root| *root == name) {
        StepOrder::Leftover
    } else {
        StepOrder::Removal
    }
}

/// Renders, compresses and stages the files, a few at a time.
fn stage_files<'a>(
    plan: &'a Plan,
    folder: &LockedOutputDir<'_>,
) -> Result<Vec<StagedFile<'a>>, DiskError> {
    let mut staged = Vec::new();
    for few in plan.files.chunks(AT_ONCE) {
        let results: Vec<_> = few
            .par_iter()
            .map(|planned| stage_file(plan, planned, folder))
            .collect();
        for result in results {
            staged.append(&mut result?);
        }
    }
    Ok(staged)
}

fn stage_file<'a>(
    plan: &'a Plan,
    planned: &'a PlannedFile,
    folder: &LockedOutputDir<'_>,
) -> Result<Vec<StagedFile<'a>>, DiskError> {
    let text = plan.render(planned);
    let stage = |path: String| {
        let bytes = FileCompression::of_name(&path).pack(&text);
        let (written, step) = stage_bytes(folder, path, planned.urls, &bytes)?;
        Ok(StagedFile {
            planned,
            written,
            step,
        })
    };
    plan.outputs(planned).into_iter().map(stage).collect()
}

fn stage_key(
    folder: &LockedOutputDir<'_>,
    key: &SubmitKey,
) -> Result<(WrittenFile, Option<DiskStep>), DiskError> {
    let (written, step) = stage_bytes(folder, key.file_name(), 0, key.reveal().as_bytes())?;
    Ok((
        WrittenFile {
            path: MASKED_KEY_FILE.to_owned(),
            ..written
        },
        step,
    ))
}

/// Stages one file, unless these very bytes stand in its place.
fn stage_bytes(
    folder: &LockedOutputDir<'_>,
    path: String,
    urls: usize,
    bytes: &[u8],
) -> Result<(WrittenFile, Option<DiskStep>), DiskError> {
    let step = match folder.compare(&path, bytes)? {
        PlaceState::Same => None,
        PlaceState::Differs => Some(folder.stage(&path, bytes)?),
    };
    Ok((
        WrittenFile {
            path,
            urls,
            bytes: bytes.len(),
            changed: step.is_some(),
        },
        step,
    ))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use tempfile::TempDir;

    use super::*;
    use crate::config::{GzipMode, SitemapFormat, SitemapSettings};
    use crate::dates::DateFormat;
    use crate::sitemaps::fixture::{at_most, base, entries, entry, grouped, plan};
    use crate::sitemaps::split::{HashBits, url_hash};

    const ALONE: SurroundingFiles<'_> = SurroundingFiles {
        robots_txt: None,
        key: None,
        is_generators_sitemap: &|_| false,
    };

    fn folder() -> TempDir {
        TempDir::new().expect("a folder")
    }

    fn preview(
        plan: &Plan,
        folder: &Path,
        surroundings: SurroundingFiles<'_>,
    ) -> Result<PublishReport, DiskError> {
        LockedOutputDir::open(folder, WriteMode::Look)?.place(plan, surroundings)
    }

    /// The names of everything in a folder, sorted.
    fn names_in(folder: &Path) -> Vec<String> {
        let items = fs::read_dir(folder)
            .expect("a folder")
            .map(|item| item.expect("an item").file_name());
        let mut names: Vec<_> = items
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    fn removed(placed: &PublishReport) -> Vec<String> {
        placed.removed.iter().map(SitePath::to_string).collect()
    }

    fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    #[test]
    fn a_set_is_written_as_planned_and_nothing_else_is_left() {
        let (folder, plan) = (
            folder(),
            plan(
                entries(5),
                &SitemapSettings {
                    gzip: GzipMode::Also,
                    ..at_most(4)
                },
            ),
        );
        let robots = SurroundingFiles {
            robots_txt: Some(b"Sitemap: x\n"),
            ..ALONE
        };
        let expected = preview(&plan, folder.path(), robots).expect("it can be compared");
        assert_eq!(names_in(folder.path()), [""; 0]);
        let placed = place(&plan, folder.path(), robots).expect("it can be written");
        assert_eq!(placed, expected);
        let mut written: Vec<_> = placed.files.iter().map(|file| file.path.clone()).collect();
        written.push("robots.txt".to_owned());
        written.sort();
        assert_eq!(names_in(folder.path()), written);
        for file in plan.files() {
            let text = plan.render(file);
            let read = |name: &str| fs::read(folder.path().join(name)).expect("it was written");
            assert_eq!(read(&file.name), text.as_bytes());
            assert_eq!(
                read(&format!("{}.gz", file.name)),
                *FileCompression::Gzip.pack(&text)
            );
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_second_run_touches_nothing() {
        use std::os::unix::fs::MetadataExt;
        let (folder, plan) = (
            folder(),
            plan(
                entries(50),
                &SitemapSettings {
                    gzip: GzipMode::Also,
                    ..at_most(7)
                },
            ),
        );
        let robots = SurroundingFiles {
            robots_txt: Some(b"Sitemap: x\n"),
            ..ALONE
        };
        let state = || {
            let files = names_in(folder.path()).into_iter().chain([".".to_owned()]);
            let stamp = |name: String| {
                fs::metadata(folder.path().join(name))
                    .map(|it| (it.ino(), it.mtime_nsec(), it.ctime_nsec()))
            };
            files
                .map(|name| stamp(name).expect("it is there"))
                .collect::<Vec<_>>()
        };
        let first = place(&plan, folder.path(), robots).expect("it can be written");
        let before = state();
        let second = place(&plan, folder.path(), robots).expect("it can be compared");
        assert_eq!(state(), before);
        assert!(
            first.files.iter().all(|file| file.changed)
                && second.files.iter().all(|file| !file.changed)
        );
        assert!(second.robots_txt.is_some_and(|file| !file.changed));
    }

    #[test]
    fn leftovers_of_ours_are_removed_and_those_of_others_stay() {
        let folder = folder();
        let both = |max_urls| SitemapSettings {
            formats: vec![SitemapFormat::Xml, SitemapFormat::Txt],
            ..at_most(max_urls)
        };
        place(&plan(entries(100), &both(60)), folder.path(), ALONE).expect("divided");
        write(
            folder.path(),
            "sitemap-news.xml",
            "<urlset><url><loc>https://example.com/n</loc></url></urlset>",
        );
        write(folder.path(), "sitemap-0.txt.bak", "https://example.com/");
        let placed =
            place(&plan(entries(100), &both(100)), folder.path(), ALONE).expect("in one piece");
        assert_eq!(
            removed(&placed),
            [
                "sitemap-0.txt",
                "sitemap-0.xml",
                "sitemap-1.txt",
                "sitemap-1.xml"
            ]
        );
        assert_eq!(
            names_in(folder.path()),
            [
                "sitemap-0.txt.bak",
                "sitemap-news.xml",
                "sitemap.txt",
                "sitemap.xml"
            ]
        );
    }

    #[test]
    fn text_parts_prove_together_that_they_are_ours() {
        let folder = folder();
        let both = SitemapSettings {
            formats: vec![SitemapFormat::Xml, SitemapFormat::Txt],
            gzip: GzipMode::Also,
            ..at_most(4)
        };
        let texts = || {
            names_in(folder.path())
                .into_iter()
                .filter(|name| name.contains(".txt"))
                .collect::<Vec<_>>()
        };
        place(&plan(entries(40), &both), folder.path(), ALONE).expect("small parts");
        assert!(texts().len() > 20, "{:?}", texts());
        place(&plan(entries(40), &at_most(100)), folder.path(), ALONE).expect("without text");
        assert_eq!(texts(), [""; 0]);
    }

    #[test]
    fn a_text_that_another_part_leaves_no_room_for_is_not_proven_by_the_others() {
        let folder = folder();
        let urls = || (0..80).map(|page| format!("https://example.com/{page}\n"));
        for name in ["00", "01", "1"] {
            let bits = HashBits::parse(name).expect("bits");
            let part: String = urls()
                .filter(|url| bits.hold(url_hash(url.trim_end())))
                .collect();
            write(folder.path(), &format!("sitemap-{name}.txt"), &part);
        }
        let bits = HashBits::parse("11").expect("bits");
        let by_chance = urls()
            .find(|url| bits.hold(url_hash(url.trim_end())))
            .expect("one in four");
        write(folder.path(), "sitemap-11.txt", &by_chance);
        let two_parts = SitemapSettings {
            formats: vec![SitemapFormat::Txt],
            ..at_most(30)
        };
        let placed =
            place(&plan(entries(40), &two_parts), folder.path(), ALONE).expect("two parts");
        assert_eq!(removed(&placed), ["sitemap-00.txt", "sitemap-01.txt"]);
        assert_eq!(
            names_in(folder.path()),
            ["sitemap-0.txt", "sitemap-1.txt", "sitemap-11.txt"]
        );
    }

    #[test]
    fn a_text_that_is_not_proven_to_be_ours_stays() {
        let check = |name: &str, text: &str| {
            let folder = folder();
            place(&plan(entries(3), &at_most(2)), folder.path(), ALONE).expect("ours");
            let file = write(folder.path(), name, text);
            let new = plan(entries(3), &at_most(5));
            let placed = place(&new, folder.path(), ALONE).expect("ours again");
            assert_eq!(placed.unproven, [SitePath::from(name)]);
            assert!(file.exists(), "{name}");
        };
        check(
            "sitemap.txt",
            "https://example.com/p0/\nhttps://example.com/p1/\nhttps://example.com/p2/\n",
        );
        check("sitemap-1.txt", "https://example.com/a\n");
        let pages: Vec<_> = (0..90)
            .map(|page| format!("https://example.com/{page}\n"))
            .collect();
        check("sitemap-0.txt", &pages.concat());
    }

    #[test]
    fn the_children_of_another_waypost_set_in_the_folder_stay() {
        let folder = folder();
        let other = SitemapSettings {
            file: "sitemap-docs.xml".to_owned(),
            ..SitemapSettings::default()
        };
        place(&plan(entries(2), &other), folder.path(), ALONE).expect("one set");
        let placed = place(
            &plan(entries(3), &SitemapSettings::default()),
            folder.path(),
            ALONE,
        )
        .expect("another");
        assert_eq!(removed(&placed), [""; 0]);
    }

    #[test]
    fn a_foreign_file_goes_only_where_it_contradicts_the_new_set() {
        let check = |gzip: GzipMode, is_known: bool, expected: &[&str]| {
            let folder = folder();
            let index = "<sitemapindex><sitemap><loc>https://example.com/sitemap1.xml</loc></sitemap><sitemap>\
                         <loc>https://example.com/de/sitemap.xml</loc></sitemap><sitemap>\
                         <loc>https://example.com/../out.xml</loc></sitemap></sitemapindex>";
            write(folder.path(), "sitemap.xml", index);
            for name in [
                "sitemap.xml.gz",
                "sitemap1.xml",
                "de/sitemap.xml",
                "sitemap2.xml",
                "robots.txt",
            ] {
                write(folder.path(), name, "<urlset/>");
            }
            let surroundings = SurroundingFiles {
                is_generators_sitemap: &|name| is_known && name.contains("sitemap"),
                ..ALONE
            };
            let plan = plan(
                entries(1),
                &SitemapSettings {
                    gzip,
                    ..SitemapSettings::default()
                },
            );
            let expected_placed =
                preview(&plan, folder.path(), surroundings).expect("it can be compared");
            let placed = place(&plan, folder.path(), surroundings).expect("it can be written");
            assert_eq!(removed(&placed), expected);
            assert_eq!(placed, expected_placed);
            assert!(
                expected
                    .iter()
                    .all(|name| !folder.path().join(name).exists())
            );
        };
        check(
            GzipMode::Off,
            true,
            &[
                "de/sitemap.xml",
                "sitemap.xml.gz",
                "sitemap1.xml",
                "sitemap2.xml",
            ],
        );
        check(GzipMode::Off, false, &["sitemap.xml.gz"]);
        check(GzipMode::Also, false, &[]);
        check(GzipMode::Only, false, &["sitemap.xml"]);
    }

    #[test]
    #[cfg(unix)]
    fn a_symbolic_link_is_replaced_or_removed_itself() {
        use std::os::unix::fs::symlink;
        let (folder, elsewhere) = (folder(), folder());
        let target = write(elsewhere.path(), "target.xml", "theirs");
        let index = "<sitemapindex><sitemap><loc>https://example.com/de/sitemap.xml</loc></sitemap></sitemapindex>";
        write(elsewhere.path(), "index.xml", index);
        write(elsewhere.path(), "sitemap.xml", "theirs");
        symlink(
            elsewhere.path().join("index.xml"),
            folder.path().join("sitemap.xml"),
        )
        .expect("a link");
        symlink(&target, folder.path().join("sitemap.xml.gz")).expect("a link");
        symlink(elsewhere.path(), folder.path().join("de")).expect("a link");
        let surroundings = SurroundingFiles {
            is_generators_sitemap: &|name| name.contains("sitemap"),
            ..ALONE
        };
        let placed = place(&plan(entries(1), &at_most(1)), folder.path(), surroundings)
            .expect("it can be written");
        assert_eq!(removed(&placed), ["sitemap.xml.gz"]);
        assert_eq!(
            names_in(elsewhere.path()),
            ["index.xml", "sitemap.xml", "target.xml"]
        );
        assert_eq!(fs::read_to_string(target).expect("it stays"), "theirs");
        assert!(
            fs::symlink_metadata(folder.path().join("sitemap.xml"))
                .expect("it is there")
                .is_file()
        );
    }

    #[test]
    fn what_cannot_be_written_leaves_everything_as_it_was() {
        let check = |root: &str, expected: &str| {
            let folder = folder();
            write(folder.path(), "sitemap-1.xml/page.html", "a page");
            let settings = SitemapSettings {
                file: root.to_owned(),
                ..at_most(5)
            };
            let error = place(&plan(entries(9), &settings), folder.path(), ALONE)
                .expect_err("it cannot be written");
            assert_eq!(
                error
                    .to_string()
                    .replace(&*folder.path().to_string_lossy(), "public"),
                expected
            );
            assert_eq!(names_in(folder.path()), ["sitemap-1.xml"]);
        };
        check(
            "sitemap.xml",
            "`public/sitemap-1.xml` is a folder, so no file of that name can be written",
        );
        check(
            "../map.xml",
            "`../map.xml` is no file name, so it cannot be written into the output folder",
        );
    }

    #[test]
    fn an_index_that_names_missing_or_odd_files_is_replaced() {
        let folder = folder();
        let loc = |name: &str| format!("<sitemap><loc>https://example.com/{name}</loc></sitemap>");
        let locs = [
            "sitemap-0.xml",
            "sitemap.xml",
            "%00",
            "de/",
            "..",
            "sitemap-kept-1.xml",
        ]
        .map(loc)
        .concat();
        write(
            folder.path(),
            "sitemap.xml",
            &format!("<sitemapindex>{locs}</sitemapindex>"),
        );
        let surroundings = SurroundingFiles {
            is_generators_sitemap: &|_| true,
            ..ALONE
        };
        let plan = plan(entries(9), &at_most(5));
        place(&plan, folder.path(), surroundings).expect("it can be written");
        assert_eq!(
            names_in(folder.path()),
            ["sitemap-0.xml", "sitemap-1.xml", "sitemap.xml"]
        );
    }

    #[test]
    fn sitemaps_made_elsewhere_stay_when_an_index_names_them() {
        let folder = folder();
        place(&plan(entries(9), &at_most(5)), folder.path(), ALONE).expect("a set");
        let locs = [
            "https://example.com/sitemap-0.xml",
            "https://docs.example.com/sitemap.xml",
        ];
        let urls = locs.map(|loc| (base().of_path(b"").resolve(loc).expect("a URL"), None));
        let index = Plan::index_over(urls.to_vec(), &at_most(5), DateFormat::Datetime, &base());
        let placed = place(&index, folder.path(), ALONE).expect("an index");
        assert_eq!(removed(&placed), ["sitemap-1.xml"]);
        let text = fs::read_to_string(folder.path().join("sitemap.xml")).expect("it was written");
        assert!(locs.iter().all(|loc| text.contains(loc)));
    }

    #[test]
    fn a_folder_that_is_not_there_is_not_made() {
        let folder = folder();
        let missing = folder.path().join("public");
        let error = place(&plan(entries(1), &at_most(5)), &missing, ALONE)
            .expect_err("there is no such folder");
        assert!(
            matches!(error, DiskError::Write { path, .. } if path == missing.join("sitemap.xml"))
        );
        assert_eq!(names_in(folder.path()), [""; 0]);
    }

    #[test]
    fn what_a_killed_run_has_staged_is_removed() {
        let folder = folder();
        write(folder.path(), ".waypost-staging-1/sitemap.xml", "half");
        place(
            &plan(entries(1), &SitemapSettings::default()),
            folder.path(),
            ALONE,
        )
        .expect("it can be written");
        assert_eq!(names_in(folder.path()), ["sitemap.xml"]);
    }

    #[test]
    fn two_runs_at_once_both_end_with_a_whole_set() {
        let folder = folder();
        let plans = [
            plan(entries(90), &at_most(4)),
            plan(vec![grouped("a", "blog"), entry("b")], &at_most(4)),
        ];
        std::thread::scope(|scope| {
            for plan in plans.iter().cycle().take(8) {
                scope.spawn(|| place(plan, folder.path(), ALONE).expect("it can be written"));
            }
        });
        let names = names_in(folder.path());
        let whole = plans.iter().any(|plan| {
            let mut planned: Vec<_> = plan.files().iter().map(|file| file.name.clone()).collect();
            planned.sort();
            planned == names
        });
        assert!(whole, "{names:?}");
    }
}
