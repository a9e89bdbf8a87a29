//! The plugin manifest that is part of the program.

use std::sync::LazyLock;

use page_sources::generator::Manifest;

/// What waypost knows about generators, pipelines and hosts.
pub(crate) fn embedded() -> Manifest {
    Manifest::from_static(include_str!("../plugin-manifest.toml"))
}

/// The embedded manifest, parsed once for all sites of a program that embeds waypost.
pub(crate) fn shared() -> &'static Manifest {
    static SHARED: LazyLock<Manifest> = LazyLock::new(embedded);
    &SHARED
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_embedded_manifest_is_well_formed() {
        super::embedded();
    }
}
