//! Wraps a repository on disk; only this file, `objects.rs`, `tree.rs` and `remote.rs` use the
//! crates of gix.
//!
//! It ignores the process environment and the user's and system's Git configuration, so that equal
//! repositories give equal results on every machine. It never fetches an object from a remote.

use std::error::Error;
use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use std::{fs, io};

use gix_config::file::Metadata as ConfigurationMetadata;
use gix_config::file::init::Options as ConfigurationOptions;
use gix_config::{File as Configuration, Source};
use gix_index::Entry;
use gix_index::entry::Stage;
use gix_object::Kind;
use gix_odb::HeaderExt as _;
use gix_ref::Target;
use gix_ref::file::{ReferenceExt as _, Store};

use super::commit::Lineage;
use super::error::{RepositoryError, error_chain};
use super::limits::{MAX_ALTERNATES, MAX_FILE_BYTES, MAX_OBJECT_BYTES, read};
use super::reftable::ReferenceStack;

pub use gix_hash::ObjectId;

/// An open repository.
pub(super) struct Repository {
    dirs: GitDirs,
    /// Canonical.
    pub(super) work_tree: PathBuf,
    configuration: Configuration,
    format: Format,
    pub(super) objects: gix_odb::Handle,
}

/// The directories with the files of a repository.
struct GitDirs {
    /// `.git`, or the directory that such a file names.
    own: PathBuf,
    /// The directory that all work trees share: the one that `commondir` names, else the same.
    common: PathBuf,
}

/// The format of the files of a repository, which its configuration names.
#[derive(Debug, Clone, Copy)]
struct Format {
    hash: gix_hash::Kind,
    /// Whether its references are in a reftable, not in files.
    has_reftable: bool,
}

/// The extensions of the repository format that are supported here (gitrepository-layout(5)).
/// Others may mean anything, so Git does not read such a repository.
const EXTENSIONS: [&str; 10] = [
    "noop",
    "noop-v1",
    "objectformat",
    "compatobjectformat",
    "refstorage",
    "partialclone",
    "preciousobjects",
    "worktreeconfig",
    "relativeworktrees",
    "submodulepathconfig",
];

/// Git's index: facts about the checked-out files.
pub(super) struct GitIndex(gix_index::File);

/// Whether a path is a `.git` directory, or a `.git` file that refers to one.
pub(super) fn is_repository(dot_git: &Path) -> io::Result<bool> {
    GitDirs::of(dot_git)?.are_complete()
}

impl GitDirs {
    /// The directories of a `.git` directory or file.
    fn of(dot_git: &Path) -> io::Result<Self> {
        let own = if fs::metadata(dot_git)?.is_file() {
            git_dir_named_in(dot_git)?
        } else {
            dot_git.to_path_buf()
        };
        let common = match read_if_exists(&own.join("commondir"))? {
            Some(path) => own.join(native(path.trim_ascii_end())?),
            None => own.clone(),
        };
        Ok(Self { own, common })
    }

    /// Whether they have what every repository has.
    fn are_complete(&self) -> io::Result<bool> {
        let head = self.own.join("HEAD");
        for path in [head, self.common.join("refs"), self.common.join("objects")] {
            match fs::metadata(&path) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
                Err(error) => return Err(with_path(&path, &error)),
            }
        }
        Ok(true)
    }

    /// Whether they are those of a work tree beside the main one (git-worktree(1)).
    fn are_linked(&self) -> bool {
        self.own != self.common
    }
}

/// Returns the directory with the repository's configuration, for a `.git` directory or file: a
/// worktree shares that of its repository, a submodule has its own.
pub fn common_dir(dot_git: &Path) -> io::Result<PathBuf> {
    Ok(GitDirs::of(dot_git)?.common)
}

/// Returns the directory that a `.git` file refers to.
fn git_dir_named_in(file: &Path) -> io::Result<PathBuf> {
    let text = read(file, MAX_FILE_BYTES)?;
    let path = text
        .strip_prefix(b"gitdir: ")
        .ok_or_else(|| io::Error::other("it does not begin with `gitdir: `"))?;
    Ok(file.with_file_name(native(path.trim_ascii_end())?))
}

/// Whether a pattern of Git matches a whole path: `*` and `?` stay in a directory, `**` does not.
pub(super) fn matches_pattern(pattern: &[u8], path: &[u8]) -> bool {
    let mode = gix_glob::wildmatch::Mode::NO_MATCH_SLASH_LITERAL;
    gix_glob::wildmatch(pattern.into(), path.into(), mode)
}

/// Converts a path in Git's notation to the platform's.
pub(super) fn native(path: &[u8]) -> io::Result<PathBuf> {
    gix_path::from_byte_slice(path)
        .map(Path::to_path_buf)
        .map_err(|error| io::Error::other(error_chain(&error)))
}

/// The path on disk of a path in Git's notation, which was made from one.
pub(super) fn on_disk(root: &Path, path: &[u8]) -> PathBuf {
    root.join(native(path).unwrap_or_default())
}

/// The bytes of a file; none if it does not exist.
fn read_if_exists(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match read(path, MAX_FILE_BYTES) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(with_path(path, &error)),
    }
}

fn with_path(path: &Path, error: &io::Error) -> io::Error {
    let text = format!("`{}`: {error}", path.display());
    io::Error::new(error.kind(), text)
}

/// Reads the settings of a repository, but not those that they include.
fn read_configuration(dirs: &GitDirs) -> Result<Configuration, RepositoryError> {
    let parsed = |path: &Path, source: Source| {
        let bytes = read_if_exists(path)?.unwrap_or_default();
        let metadata = ConfigurationMetadata::from(source);
        Configuration::from_bytes_no_includes(&bytes, metadata, ConfigurationOptions::default())
            .map_err(unreadable(path))
    };
    let mut configuration = parsed(&dirs.common.join("config"), Source::Local)?;
    if is_true(&configuration, "extensions.worktreeConfig") {
        let path = dirs.own.join("config.worktree");
        configuration
            .append(parsed(&path, Source::Worktree)?)
            .map_err(unreadable(&path))?;
    }
    Ok(configuration)
}

fn is_true(configuration: &Configuration, key: &str) -> bool {
    matches!(configuration.boolean(key), Ok(Some(true)))
}

impl Format {
    /// Reads the format of a repository; an error if this crate does not know it.
    fn of(configuration: &Configuration) -> Result<Self, RepositoryError> {
        let unsupported = |text: String| Err(RepositoryError::Unsupported(text));
        let mut format = Self {
            hash: gix_hash::Kind::Sha1,
            has_reftable: false,
        };
        let version = configuration.integer("core.repositoryFormatVersion");
        match version.ok().flatten().unwrap_or(0) {
            ..=0 => return Ok(format),
            1 => {}
            version => return unsupported(format!("its format has version {version}")),
        }
        let sections = configuration
            .sections()
            .filter(|section| section.header().name().eq_ignore_ascii_case(b"extensions"));
        for name in sections.flat_map(|section| section.value_names().collect::<Vec<_>>()) {
            if !EXTENSIONS.contains(&&*name.to_ascii_lowercase()) {
                return unsupported(format!("its format has the unknown extension `{name}`"));
            }
        }
        if let Some(hash) = configuration.string("extensions.objectFormat") {
            format.hash = match hash.to_string().parse() {
                Ok(kind) => kind,
                Err(_) => return unsupported(format!("its hashes are of the kind `{hash}`")),
            };
        }
        let references = configuration.string("extensions.refStorage");
        format.has_reftable =
            references.is_some_and(|format| format.eq_ignore_ascii_case(b"reftable"));
        Ok(format)
    }
}

impl Repository {
    /// Opens the repository of a directory that has a `.git` directory or file.
    ///
    /// Git rejects repositories of another owner because their configuration could make it run
    /// programs. This crate runs none, so ownership does not matter, and CI containers need no
    /// `safe.directory`.
    pub(super) fn open(root: &Path) -> Result<Self, RepositoryError> {
        let dirs = GitDirs::of(&root.join(".git"))?;
        if !dirs.are_complete()? {
            let text = "it has no `HEAD`, `refs` or `objects`, and names no directory that has";
            return Err(RepositoryError::NotARepository(text.to_owned()));
        }
        let configuration = read_configuration(&dirs)?;
        let format = Format::of(&configuration)?;
        let options = gix_odb::store::init::Options {
            alloc_limit_bytes: Some(MAX_OBJECT_BYTES),
            ..Default::default()
        };
        let no_replacements = [];
        let objects_dir = dirs.common.join("objects");
        // What cannot be read, gix reports.
        let alternates =
            read(&objects_dir.join("info/alternates"), MAX_FILE_BYTES).unwrap_or_default();
        let lines = alternates.split(|&byte| byte == b'\n').count() - 1;
        if lines > MAX_ALTERNATES {
            return Err(RepositoryError::TooManyAlternates(lines));
        }
        let objects = gix_odb::at_opts(&objects_dir, format.hash, no_replacements, options)
            .map_err(unreadable(&objects_dir))?;
        let configured = configuration
            .string("core.worktree")
            .filter(|_| !dirs.are_linked() && !is_true(&configuration, "core.bare"))
            .map(|path| native(&path).map(|path| dirs.own.join(path)))
            .transpose()?;
        let work_tree = configured.as_deref().unwrap_or(root).canonicalize()?;
        Ok(Self {
            dirs,
            work_tree,
            configuration,
            format,
            objects,
        })
    }

    /// Returns the commit of `HEAD`, or `None` on a branch without commits.
    pub(super) fn head(&self) -> Result<Option<ObjectId>, RepositoryError> {
        self.commit_of("HEAD")
    }

    /// Returns the commit of a reference, or `None` if it or the branch that it names does not exist.
    pub(super) fn commit_of(&self, name: &str) -> Result<Option<ObjectId>, RepositoryError> {
        if self.format.has_reftable {
            let (own, common) = self.reference_stacks()?;
            return Ok(own.as_ref().unwrap_or(&common).commit_of(name, &common)?);
        }
        let store = self.reference_files();
        let path = self.dirs.own.join("HEAD");
        let reference = store.try_find(name).map_err(unreadable(&path))?;
        let branch = match reference.map(|reference| reference.target) {
            None => return Ok(None),
            Some(Target::Object(id)) => return Ok(Some(id)),
            Some(Target::Symbolic(branch)) => store.try_find(branch.as_ref().as_partial_name()),
        };
        let Some(mut branch) = branch.map_err(unreadable(&path))? else {
            return Ok(None);
        };
        let packed = store.cached_packed_buffer().map_err(unreadable(&path))?;
        branch
            .follow_to_object_packed(&store, packed.as_ref().map(|packed| &***packed))
            .map(Some)
            .map_err(unreadable(&path))
    }

    /// Returns the name of the branch that `HEAD` refers to.
    pub(super) fn head_branch(&self) -> Result<Option<String>, RepositoryError> {
        let branch = if self.format.has_reftable {
            let (own, common) = self.reference_stacks()?;
            own.as_ref().unwrap_or(&common).head_target()
        } else {
            let path = self.dirs.own.join("HEAD");
            let head = self.reference_files().try_find("HEAD");
            match head.map_err(unreadable(&path))?.map(|head| head.target) {
                Some(Target::Symbolic(branch)) => Some(branch.as_bstr().to_string()),
                _ => None,
            }
        };
        Ok(branch.and_then(|name| name.strip_prefix("refs/heads/").map(str::to_owned)))
    }

    fn reference_files(&self) -> Store {
        let (own, hash) = (self.dirs.own.clone(), self.format.hash);
        if self.dirs.are_linked() {
            Store::for_linked_worktree(own, self.dirs.common.clone(), hash)
        } else {
            Store::at(own, hash)
        }
    }

    /// Returns the references of this work tree, if it has its own, and those of the repository.
    fn reference_stacks(&self) -> io::Result<(Option<ReferenceStack>, ReferenceStack)> {
        let own = self
            .dirs
            .are_linked()
            .then(|| ReferenceStack::read(&self.dirs.own));
        Ok((own.transpose()?, ReferenceStack::read(&self.dirs.common)?))
    }

    /// Returns where the history ends: at the commits whose parents a shallow clone lacks.
    pub(super) fn lineage(&self) -> Result<Lineage, RepositoryError> {
        let path = self.dirs.common.join("shallow");
        let text = read_if_exists(&path)?.unwrap_or_default();
        let boundary = text
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| ObjectId::from_hex(line).map_err(unreadable(&path)))
            .collect::<Result<_, _>>()?;
        Ok(Lineage { boundary })
    }

    /// Whether the clone lacks objects on purpose.
    pub(super) fn is_partial(&self) -> bool {
        let mut remotes = self
            .configuration
            .sections()
            .filter(|section| section.header().name().eq_ignore_ascii_case(b"remote"));
        remotes.any(|remote| remote.value("promisor").is_some())
    }

    /// Reads Git's index; `None` if it cannot be read.
    pub(super) fn index(&self) -> Option<GitIndex> {
        let options = gix_index::decode::Options {
            thread_limit: Some(1),
            ..Default::default()
        };
        let skip_hash = true;
        let path = self.dirs.own.join("index");
        gix_index::File::at(path, self.format.hash, skip_hash, options)
            .ok()
            .map(GitIndex)
    }

    /// Returns the id of a blob with these bytes.
    pub(super) fn blob_id(&self, bytes: &[u8]) -> Option<ObjectId> {
        gix_object::compute_hash(self.format.hash, Kind::Blob, bytes).ok()
    }

    /// Whether the repository has a commit of this hash.
    pub(super) fn has_commit(&self, id: &ObjectId) -> bool {
        id.kind() == self.format.hash
            && (self.objects.header(id)).is_ok_and(|header| header.kind() == Kind::Commit)
    }
}

/// Returns in words how complete the history of the repository at a root is.
pub fn describe_history(root: &Path) -> Result<&'static str, RepositoryError> {
    let repository = Repository::open(root)?;
    let is_shallow = !repository.lineage()?.boundary.is_empty();
    Ok(match (is_shallow, repository.is_partial()) {
        (false, false) => "complete history",
        (true, false) => "shallow clone",
        (false, true) => "complete history, some objects not fetched",
        (true, true) => "shallow clone, some objects not fetched",
    })
}

/// Makes the error for a file of a repository that cannot be read.
fn unreadable<E: Error + 'static>(path: &Path) -> impl Fn(E) -> RepositoryError {
    let name = path.file_name().unwrap_or(path.as_os_str()).display();
    move |error| RepositoryError::Unreadable(format!("`{name}`: {}", error_chain(&error)))
}

impl GitIndex {
    /// Whether Git recorded a file of this size with these bytes; it has none for a path in conflict.
    pub(super) fn has_size(&self, path: &[u8], id: &ObjectId, metadata: &Metadata) -> bool {
        self.entry(path, id, metadata).is_some()
    }

    fn entry(&self, path: &[u8], id: &ObjectId, metadata: &Metadata) -> Option<&Entry> {
        self.0
            .entry_by_path_and_stage(path.into(), Stage::Unconflicted)
            .filter(|entry| entry.id == *id && u64::from(entry.stat.size) == metadata.len())
    }

    /// Whether a file with this metadata is still as it was when Git recorded it with these bytes,
    /// by its size and time.
    pub(super) fn has_unchanged(&self, path: &[u8], id: &ObjectId, metadata: &Metadata) -> bool {
        let Some(entry) = self.entry(path, id, metadata) else {
            return false;
        };
        let modified = metadata.modified().ok();
        let Some(since) = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()) else {
            return false;
        };
        let (noted, nanoseconds) = (&entry.stat.mtime, since.subsec_nanos());
        u64::from(noted.secs) == since.as_secs()
            // Git may record whole seconds only.
            && (noted.nsecs == 0 || nanoseconds == 0 || noted.nsecs == nanoseconds)
    }
}

/// The first directory that `objects/info/alternates` names and that does not exist.
pub(super) fn missing_alternate(root: &Path) -> Option<PathBuf> {
    let objects = common_dir(&root.join(".git")).ok()?.join("objects");
    let listed = fs::read(objects.join("info/alternates")).ok()?;
    listed.split(|&byte| byte == b'\n').find_map(|line| {
        let dir = objects.join(native(line).ok().filter(|_| !line.is_empty())?);
        (!line.starts_with(b"#") && !dir.exists()).then_some(dir)
    })
}
