//! Completion scripts of `waypost completions`.

use crate::site_test::SiteTest;

fn script(shell: &str) -> String {
    SiteTest::empty()
        .waypost(&["completions", shell])
        .succeeded()
        .stdout
}

#[test]
#[cfg(target_os = "linux")] // bash
fn bash_completes_commands_options_and_the_values_of_options() {
    let site = SiteTest::empty();
    site.write("script", script("bash"));
    let check = |words: &[&str], expected: &str| {
        let complete = "source ./script; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            _waypost waypost \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"
            echo \"${COMPREPLY[@]}\"";
        let bash = "shift; exec bash --norc -c \"$COMPLETE\" bash \"$@\"";
        let mut shell = site.shell_command(bash, words);
        let done = shell
            .env("COMPLETE", complete)
            .output()
            .expect("bash can be run");
        let printed = String::from_utf8(done.stdout).expect("UTF-8");
        assert_eq!(printed.trim_end(), expected, "{words:?}");
    };
    check(&["waypost", "expl"], "explain");
    check(&["waypost", "submit", "--end"], "--endpoint");
    check(&["waypost", "--color", "al"], "always");
}

#[test]
fn completions_offer_directories_files_or_urls_as_each_option_takes() {
    let script = script("zsh");
    for (option, completed_by) in [
        ("--output-dir", "_files -/"),
        ("--record", "_files -/"),
        ("--config", "_files"),
        ("--base-url", "_urls"),
        ("--endpoint", "_urls"),
    ] {
        let begin = format!("{option}=[");
        let of_option = |line: &&str| line.trim_start_matches(['\'', '*']).starts_with(&begin);
        let lines: Vec<&str> = script.lines().filter(of_option).collect();
        assert!(!lines.is_empty(), "no {option} in\n{script}");
        let end = format!(":{completed_by}' \\");
        assert!(lines.iter().all(|line| line.ends_with(&end)), "{lines:?}");
    }
    // The name of a command is not taken for the site.
    assert!(script.contains("case $line[1] in"), "{script}");
}
