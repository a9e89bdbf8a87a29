//! The plugin manifest that is part of the program.

use std::sync::LazyLock;

use page_sources::generator::{GeneratorTexts, Manifest, ManifestExitCode, ManifestTexts};

include!(concat!(env!("OUT_DIR"), "/manifest_texts.rs"));

/// What waypost knows about generators, pipelines and hosts.
pub(crate) fn embedded() -> Manifest {
    Manifest::of_program(&TEXTS)
}

/// The exit codes of a build. The help of each run needs them, also where it is not shown.
pub(crate) fn exit_codes() -> Vec<ManifestExitCode> {
    ManifestExitCode::of_program(&TEXTS)
}

/// The embedded manifest, parsed once for all sites of a program that embeds waypost.
pub(crate) fn shared() -> &'static Manifest {
    static SHARED: LazyLock<Manifest> = LazyLock::new(embedded);
    &SHARED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_embedded_manifest_is_well_formed() {
        let Manifest {
            schema,
            plugin,
            input,
            output,
            exit_code,
            variable,
            generator,
            step,
            ..
        } = embedded();
        assert_eq!(*schema, 1);
        assert_eq!(plugin.name, "waypost");
        assert!(
            !input.is_empty()
                && !output.is_empty()
                && !exit_code.is_empty()
                && !variable.is_empty()
        );
        assert!(!step.is_empty());
        for (name, known) in &generator {
            assert_eq!(known.profile().name, *name);
        }
    }

    #[test]
    fn the_texts_of_the_build_script_are_those_of_the_manifest() {
        let json = |text: &str| serde_json::from_str(text).expect("JSON");
        let parts = TEXTS.parts.iter().copied();
        let mut parts: serde_json::Map<String, serde_json::Value> = parts
            .map(|(name, text)| (name.to_owned(), json(text)))
            .collect();
        for texts in TEXTS.generators {
            let profile: serde_json::Value = json(texts.profile);
            assert_eq!(json(texts.config), profile["config"]);
            let detect = profile.get("detect").cloned();
            assert_eq!(json(texts.detect), detect.unwrap_or_else(|| json("[]")));
        }
        let generators = TEXTS.generators.iter();
        let generators = generators.map(|texts| (texts.name.to_owned(), json(texts.profile)));
        parts.insert("generator".to_owned(), generators.collect());
        let expected: serde_json::Value = toml::from_str(TEXTS.toml).expect("TOML");
        assert_eq!(serde_json::Value::from(parts), expected);
        // Every part is one that `Manifest` reads.
        assert_eq!(TEXTS.parts.len(), 10);
    }
}
