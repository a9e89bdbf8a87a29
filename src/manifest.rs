//! The plugin manifest that is part of the program.

use page_sources::generator::Manifest;

/// What waypost knows about generators, pipelines and hosts.
pub(crate) fn embedded() -> Manifest {
    Manifest::from_static(include_str!("../plugin-manifest.toml"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_embedded_manifest_is_well_formed() {
        super::embedded();
    }
}
