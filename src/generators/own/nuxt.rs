//! Nuxt Content: names without their numbers.

use crate::generators::{Conventions, OwnConfig, SlugSubject, github_slug};

pub(super) struct Nuxt;

impl Conventions for Nuxt {
    fn slug(&self, _: &OwnConfig, name: &str, _: SlugSubject) -> Option<String> {
        Some(github_slug(without_number(name)))
    }
}

/// Removes the number from the start of a name, as Nuxt does: `2.name`. Versions are kept.
pub(super) fn without_number(name: &str) -> &str {
    let Some((number, rest)) = name.split_once('.') else {
        return name;
    };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let is_version = rest == "x" || !rest.contains(char::is_alphabetic);
    if is_number && !is_version { rest } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_removed_as_by_nuxt() {
        let check = |name: &str, expected: &str| assert_eq!(without_number(name), expected);
        check("1.intro", "intro");
        check("02.next-step", "next-step");
        check("01-intro", "01-intro");
        check("1.2", "1.2");
        check("1.x", "1.x");
        check("intro", "intro");
    }
}
