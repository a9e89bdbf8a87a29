//! A progress bar for long runs, shown only on a terminal.

use super::stopwatch::Stopwatch;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::printer::Printer;
use crate::reading::RunProgress;

/// Shorter runs show no progress bar.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// Runs `work`, with a progress bar if stderr is a terminal and it takes longer than a second.
pub(super) fn with_progress_bar<T>(printer: &Printer, work: impl FnOnce(&RunProgress) -> T) -> T {
    let progress = RunProgress::default();
    if !printer.is_interactive() {
        return work(&progress);
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| show(&progress, &done));
        let result = work(&progress);
        done.store(true, Ordering::Release);
        watcher.thread().unpark();
        result
    })
}

fn show(progress: &RunProgress, done: &AtomicBool) {
    let start = Stopwatch::start();
    let mut bar = None;
    let mut shown = FINDING;
    while !done.load(Ordering::Acquire) {
        if start.elapsed() >= PATIENCE {
            let bar = bar.get_or_insert_with(|| ProgressBar::new(0).with_style(style(shown)));
            let template = template(progress);
            if template != shown {
                shown = template;
                bar.set_style(style(shown));
                bar.set_length(progress.pages());
            }
            bar.set_position(progress.pages_read());
            bar.tick();
        }
        std::thread::park_timeout(TICK);
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

/// The progress while the number of pages is unknown.
const FINDING: &str = "{spinner} looking for pages {elapsed}";
/// The progress while pages are read.
const READING: &str = "{spinner} {pos} of {len} pages {wide_bar} {elapsed}";
/// The progress after all pages have been read.
const DATING: &str = "{spinner} dating {len} pages from the history {elapsed}";
/// The progress after all pages have been dated.
const WRITING: &str = "{spinner} writing the result for {len} pages {elapsed}";

/// The template for the current phase of a run.
fn template(progress: &RunProgress) -> &'static str {
    match progress.pages() {
        0 => FINDING,
        _ if progress.is_dated() => WRITING,
        pages if progress.pages_read() >= pages => DATING,
        _ => READING,
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates are constants, tested below")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bar_can_be_drawn() {
        for template in [FINDING, READING, DATING, WRITING] {
            ProgressBar::new(0)
                .with_style(style(template))
                .finish_and_clear();
        }
    }
}
