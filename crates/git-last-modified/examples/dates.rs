//! Prints the commit and the time of the last change of every file below a directory.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "an example is a program of its own"
)]

use git_last_modified::{FileHistory, HistoryQuery, Source, date_sources};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let files: Vec<_> = walkdir::WalkDir::new(std::path::absolute(root)?)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.file_name() != ".git")
        .filter_map(|entry| entry.ok().filter(|entry| entry.file_type().is_file()))
        .map(walkdir::DirEntry::into_path)
        .collect();
    let sources = files.iter().cloned().map(Source::File);
    let history = date_sources(sources, &HistoryQuery::default())?;
    for (file, answer) in files.iter().zip(&history.files) {
        if let FileHistory::Changed(change) | FileHistory::Edited(Some(change)) = answer {
            println!("{} {} {}", change.commit, change.seconds, file.display());
        }
    }
    Ok(())
}
