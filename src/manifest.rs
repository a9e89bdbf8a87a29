//! The plugin manifest that is part of the program.

use std::sync::LazyLock;

use crate::generators::Manifest;

/// The manifest as JSON, which takes an eighth of the time of TOML to parse.
const MANIFEST: &str = include_str!(concat!(env!("OUT_DIR"), "/manifest.json"));

/// What waypost knows about generators, pipelines and hosts.
pub(crate) fn embedded() -> &'static Manifest {
    static EMBEDDED: LazyLock<Manifest> = LazyLock::new(|| Manifest::from_json(MANIFEST));
    &EMBEDDED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_the_build_script_is_the_manifest() {
        let json: serde_json::Value = serde_json::from_str(MANIFEST).expect("JSON");
        let toml = include_str!("../plugin-manifest.toml");
        let expected: serde_json::Value = toml::from_str(toml).expect("TOML");
        assert_eq!(json, expected);
        assert_eq!(json["schema"], 1);
        for (name, generator) in &embedded().generator {
            assert_eq!(generator.name, *name);
        }
    }
}
