//! The commands of an archive, each run in its site.

use std::collections::BTreeMap;

use super::wishes::is_met;
#[cfg(unix)] // sh
use crate::platform::PRELUDE;
use crate::results_schema::assert_result;
use crate::site_test::{Outcome, SiteTest};
use crate::txtar::SiteArchive;

/// Makes the shell's commands like those that run without it. Without xmllint, nothing is validated.
#[cfg(unix)] // sh
const SHELL: &str = "export WAYPOST_LEVELS_BASE_URL_PLACEHOLDER=allow
command -v xmllint >/dev/null || xmllint() { :; }
commit() { case $1 in *T*) at=$1;; *) at=$1T00:00:00Z;; esac
     git add -A && GIT_COMMITTER_DATE=$at git commit -qm \"${2:-$1}\"; }
exec 2>&1
";

/// A command with one of these signs is one for a shell.
const SHELL_SIGNS: &str = "|&;<>$`\"\\*?()#~";

/// A site with the files that its archive has given it so far.
pub(super) struct Day {
    pub(super) site: SiteTest,
    pub(super) archived: BTreeMap<String, Vec<u8>>,
    pub(super) outcome: Outcome,
    /// The files that a wish wants to be as they were before the command.
    pub(super) before: BTreeMap<String, Option<Vec<u8>>>,
}

/// Runs the commands of an archive, and returns what is not as wanted.
pub(super) fn faults_of(name: &str, text: &str) -> Vec<String> {
    let mut parts = vec![("", String::new())];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("=== ") {
            Some(title) => parts.push((title.trim_end(), String::new())),
            None => parts.last_mut().expect("there is one").1.push_str(line),
        }
    }
    let shared = parts[0].1.clone();
    if parts.len() > 1 {
        parts.remove(0);
    }
    let mut faults = Vec::new();
    let mut day = Day::begin(&shared);
    let mut site = name.to_owned();
    for (title, part) in parts {
        if title != "then" {
            day = Day::begin(&shared);
            site = format!("{name}: {title}");
        }
        for fault in day.run(&part) {
            faults.push(format!("{site}: {fault}"));
        }
    }
    faults
}

impl Day {
    /// The site with the files that all sites of an archive have.
    fn begin(shared: &str) -> Self {
        let mut day = Self {
            site: SiteTest::empty(),
            archived: BTreeMap::new(),
            outcome: Outcome::default(),
            before: BTreeMap::new(),
        };
        day.write(&SiteArchive::parse(shared));
        day
    }

    fn write(&mut self, archive: &SiteArchive) {
        for file in &archive.files {
            self.site.write(&file.name, &file.content);
            self.archived
                .insert(file.name.clone(), file.content.clone());
        }
    }

    /// Writes the files of a part and runs its commands.
    fn run(&mut self, part: &str) -> Vec<String> {
        let archive = SiteArchive::parse(part);
        self.write(&archive);
        let mut faults = Vec::new();
        let mut lines = archive.comment.lines().peekable();
        while let Some(line) = lines.next() {
            let Some(command) = line.strip_prefix("$ ") else {
                continue;
            };
            let mut wishes = Vec::new();
            while let Some(wish) = lines.next_if(|line| !line.starts_with("$ ")) {
                wishes.push(wish);
            }
            self.remember(&wishes);
            if !self.run_command(command) {
                return Vec::new();
            }
            let mut code = 0;
            for wish in wishes {
                match wish.strip_prefix("exit ") {
                    Some(wanted) => code = wanted.parse().expect("a code"),
                    None if wish.is_empty() || is_met(wish, self) => {}
                    None => faults.push(format!("$ {command}\n{wish}\n{}", self.printed())),
                }
            }
            if self.outcome.code != code {
                let ended = self.outcome.code;
                faults.push(format!(
                    "$ {command}\nexit {ended}, not {code}\n{}",
                    self.printed()
                ));
            }
        }
        faults
    }

    /// Everything that the last command printed.
    pub(super) fn printed(&self) -> String {
        format!("{}{}", self.outcome.stderr, self.outcome.stdout)
    }

    fn remember(&mut self, wishes: &[&str]) {
        self.before.clear();
        for wish in wishes {
            if let Some(path) = wish.strip_prefix("kept ") {
                let content = std::fs::read(self.site.root().join(path)).ok();
                self.before.insert(path.to_owned(), content);
            }
        }
    }

    /// Runs a command, in a shell if it needs one; false if this system has none.
    fn run_command(&mut self, command: &str) -> bool {
        let Some(words) = plain_words(command) else {
            return self.run_in_shell(command);
        };
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        let variables: Vec<(&str, &str)> =
            words.iter().map_while(|word| assignment(word)).collect();
        words.drain(..variables.len());
        self.outcome = Outcome::default();
        match words[0] {
            "waypost" => {
                let mut waypost = self.site.waypost_command(&words[1..]);
                let done = waypost.envs(variables).output();
                self.outcome = Outcome::of(done.expect("waypost can be run"));
                let printed = self.printed();
                assert!(!printed.contains("panicked"), "{printed}");
                assert_result(&words[1..], &self.outcome.stdout);
            }
            "commit" if words[1].contains('T') => drop(self.site.commit(words[1])),
            "commit" => drop(self.site.commit(&format!("{}T00:00:00Z", words[1]))),
            "git" => self.outcome.stdout = self.site.git(&words[1..]),
            "rm" => words[1..].iter().for_each(|file| self.site.remove(file)),
            "ln" => drop(self.site.link(words[3], words[2])),
            "site" => drop(self.site.index_pages(words[1], &words[2..].join(" "))),
            "pages" => {
                for page in &words[1..] {
                    self.site.page(page, "");
                }
            }
            _ => return self.run_in_shell(command),
        }
        true
    }

    #[cfg(unix)] // sh
    fn run_in_shell(&mut self, command: &str) -> bool {
        let script = format!("{PRELUDE}{SHELL}{command}");
        let done = self.site.shell_command(&script, &[]).output();
        self.outcome = Outcome::of(done.expect("the shell can be run"));
        true
    }

    #[cfg(not(unix))]
    fn run_in_shell(&mut self, _: &str) -> bool {
        self.outcome = Outcome::default();
        false
    }
}

fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = name
        .chars()
        .all(|char| char.is_ascii_uppercase() || "_0123456789".contains(char));
    is_name.then_some((name, value))
}

/// The words of a command, which may be in single quotes, if it needs no shell.
fn plain_words(command: &str) -> Option<Vec<String>> {
    let mut words = vec![String::new()];
    for (index, text) in command.split('\'').enumerate() {
        if index % 2 == 1 {
            words.last_mut()?.push_str(text);
        } else if text.contains(|char| SHELL_SIGNS.contains(char)) {
            return None;
        } else {
            let mut pieces = text.split(' ');
            words.last_mut()?.push_str(pieces.next()?);
            words.extend(pieces.map(str::to_owned));
        }
    }
    Some(words)
}
