//! Parses the numbers of command-line arguments.

/// The pages that `--live=all` requests at most: forty minutes of requests.
const MAX_LIVE_PAGES: u16 = 10_000;

/// Parses the number of `--threads`.
pub(super) fn thread_count(text: &str) -> Result<u16, String> {
    number_up_to(1024, text)
}

/// Parses a number of seconds.
pub(super) fn timeout_seconds(text: &str) -> Result<u16, String> {
    number_up_to(3600, text)
}

/// Parses a whole number from 1.
fn number_up_to(most: u16, text: &str) -> Result<u16, String> {
    let number = text.parse().ok();
    number
        .filter(|number| (1..=most).contains(number))
        .ok_or_else(|| format!("expected a number from 1 to {most}"))
}

/// Parses the number of pages of `--live`.
pub(super) fn page_count(text: &str) -> Result<u16, String> {
    match text {
        "all" => Ok(MAX_LIVE_PAGES),
        "0" => Ok(0),
        _ => number_up_to(MAX_LIVE_PAGES, text).map_err(|error| format!("{error}, `0` or `all`")),
    }
}
