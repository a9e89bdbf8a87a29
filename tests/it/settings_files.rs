//! Settings in several files, in wrong places and under wrong names.

use crate::site_test::SiteTest;

fn zola(settings: &str) -> SiteTest {
    let site = SiteTest::zola(settings);
    site.index_pages("public", "/ a/ b/");
    site
}

#[test]
fn a_table_of_settings_in_a_wrong_place_is_reported_with_the_right_one() {
    let check = |settings: &str, table: &str| {
        let message = format!("warning[settings-ignored]: the table `{table}` is not read");
        zola(settings)
            .build()
            .says(&message)
            .says("waypost reads the table `extra.waypost` of this file, and `waypost.toml`");
    };
    check("[waypost]\nexclude = [\"a/**\"]\n", "waypost");
    check("[params.waypost]\n", "params.waypost");
    for right in ["[extra.waypost]\n", "[extra.waypoint]\n", "waypost = 1\n"] {
        zola(right).build().says_nothing_of("settings-ignored");
    }
}

#[test]
fn a_settings_file_under_a_wrong_name_is_reported() {
    for name in ["waypost.yml", ".waypost.toml", "waypost.json"] {
        let site = zola("");
        site.write(name, "");
        site.build()
            .says(&format!("warning[settings-ignored]: `{name}` is not read"))
            .says("the settings file is `waypost.toml`, in TOML");
        site.settings("")
            .build()
            .says_nothing_of("settings-ignored");
    }
    let site = SiteTest::empty();
    site.page("index.html", "")
        .write("waypost.yml", "base_url: https://example.com");
    site.waypost(&[])
        .ended_with(2)
        .says("set `base_url` in waypost.toml (`waypost.yml` is not read)");
}

#[test]
fn a_settings_file_in_the_output_directory_is_reported() {
    let site = zola("");
    site.write("public/waypost.toml", "");
    site.build()
        .says("warning[settings-ignored]: `public/waypost.toml` is not read")
        .says("move it to `waypost.toml`; files of the output directory are published");
}
