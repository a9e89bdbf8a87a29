//! Removes staged files if a signal ends the run.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::publish::remove_staged_files;

/// From now on, SIGINT, SIGTERM and SIGHUP remove staged files, and then end the process as they
/// would have done otherwise. A second signal ends it at once.
///
/// If the machine cannot start another thread, the signals keep their effect, and the next run
/// removes what is left.
pub(super) fn remove_staged_files_on_signals() {
    let waiting = thread::Builder::new().name("signals".to_owned());
    // Without a handle, the thread goes on until the process ends.
    drop(waiting.spawn(wait_for_signal));
}

fn wait_for_signal() {
    let handled = handled_signals();
    let Ok(mut signals) = Signals::new(&handled) else {
        return;
    };
    let is_second = Arc::new(AtomicBool::new(false));
    for &signal in &handled {
        // In this order, the first signal only sets the flag. The known signals can be registered.
        drop(
            flag::register_conditional_default(signal, Arc::clone(&is_second))
                .and_then(|_| flag::register(signal, Arc::clone(&is_second))),
        );
    }
    if let Some(signal) = signals.forever().next() {
        let _stopped = remove_staged_files();
        // Ends the process. The signals are all known, so there is no error.
        drop(emulate_default_handler(signal));
    }
}

/// The signals that the caller has not turned off: `nohup` ignores SIGHUP, and a shell without job
/// control ignores SIGINT in background jobs.
///
/// Where the system does not report it (without `/proc`), SIGHUP counts as ignored.
fn handled_signals() -> Vec<i32> {
    let status = fs::read_to_string("/proc/self/status").ok();
    let ignored = status.and_then(|status| ignored_signals(&status));
    let ignored = ignored.unwrap_or(1 << (SIGHUP - 1));
    let is_handled = |signal: &i32| ignored & (1 << (*signal - 1)) == 0;
    let all = [SIGINT, SIGTERM, SIGHUP];
    all.into_iter().filter(is_handled).collect()
}

/// The set of ignored signals in the text of `/proc/self/status`: bit 0 is signal 1.
fn ignored_signals(status: &str) -> Option<u64> {
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_the_status_of_the_process() {
        let check = |status: &str, expected: Option<u64>| {
            assert_eq!(ignored_signals(status), expected, "{status}");
        };
        check("Name:\twaypost\nSigIgn:\t0000000000000003\n", Some(3));
        check("Name:\twaypost\n", None);
        check("SigIgn:\tno number\n", None);
    }
}
