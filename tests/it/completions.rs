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
fn zsh_does_not_take_the_name_of_a_command_for_the_site() {
    let script = script("zsh");
    let top = script
        .lines()
        .take_while(|line| !line.contains("_waypost_commands\""));
    assert!(top.last().is_some_and(|line| line.starts_with('\'')));
    assert!(script.contains("case $line[1] in"), "{script}");
    assert!(!script.contains("$line[2]"), "{script}");
}

#[test]
fn completions_offer_directories_files_or_urls_as_each_option_takes() {
    let arguments = ["completions", "zsh"];
    let script = SiteTest::empty().waypost(&arguments).succeeded().stdout;
    let check = |option: &str, completed_by: &str| {
        let begin = format!("'{option}=[");
        let begin_repeated = format!("'*{option}=[");
        let of_option = |line: &&str| line.starts_with(&begin) || line.starts_with(&begin_repeated);
        let lines: Vec<&str> = script.lines().filter(of_option).collect();
        assert!(!lines.is_empty(), "no {option} in\n{script}");
        for line in lines {
            let end = format!(":{completed_by}' \\");
            assert!(line.ends_with(&end), "{line} does not end with {end}");
        }
    };
    check("--output-dir", "_files -/");
    check("--record", "_files -/");
    check("--config", "_files");
    check("--base-url", "_urls");
    check("--endpoint", "_urls");
}
