//! Shapes of secret settings. Neither their values nor their lines are ever printed.

use serde_json::{Value as Json, json};

use super::{Shape, quote};
use crate::config::reader::LayerReader;
use crate::settings::{KeyLocation, MASK, SubmitKey};
use located_values::{SettingData, SettingValue};

/// An IndexNow key.
pub(in crate::config) struct SecretShape;

/// The URL of an IndexNow key file.
pub(in crate::config) struct SecretUrlShape;

impl Shape for SecretShape {
    type Checked = SubmitKey;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<SubmitKey> {
        let key = secret_text(value).and_then(SubmitKey::parse);
        if key.is_none() {
            // Omit the place, because the line would be quoted.
            let hint = "generate one at indexnow.org or with `openssl rand -hex 16`";
            reader.invalid_value(
                None,
                "must be 8 to 128 letters, digits and hyphens",
                Some(hint.to_owned()),
            );
        }
        key
    }

    fn show(&self, _: &SubmitKey) -> String {
        quote(MASK)
    }

    fn schema(&self) -> Json {
        json!({ "type": "string", "pattern": "^[A-Za-z0-9-]{8,128}$" })
    }
}

impl Shape for SecretUrlShape {
    type Checked = KeyLocation;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<KeyLocation> {
        let address = secret_text(value).and_then(KeyLocation::parse);
        if address.is_none() {
            let what =
                "must be an absolute `http:` or `https:` URL without user name, query or fragment";
            reader.invalid_value(
                None,
                what,
                Some("remove it to use the key file that `waypost build` writes".to_owned()),
            );
        }
        address
    }

    fn show(&self, checked: &KeyLocation) -> String {
        quote(&checked.to_string())
    }

    fn schema(&self) -> Json {
        json!({ "type": "string", "format": "uri" })
    }
}

fn secret_text(value: &SettingValue) -> Option<&str> {
    let SettingData::Text(text) = &value.data else {
        return None;
    };
    Some(text)
}

#[cfg(test)]
mod tests {
    use crate::config::settings_test::{SettingsTest, mistakes, read};

    #[test]
    fn a_key_has_8_to_128_letters_digits_and_hyphens() {
        let written = |key: &str| format!("submit.key = '{key}'");
        for key in ["abcdefgh", "A-1-b-2-", &"k".repeat(128)] {
            assert!(read(written(key)).is_ok(), "{key}");
        }
        for key in [
            "",
            "abcdefg",
            "abcd_efgh",
            "abcd efgh",
            "schlüssel",
            "../../../x",
            &"k".repeat(129),
        ] {
            let shown = mistakes(written(key));
            assert!(
                shown.contains("`submit.key` must be 8 to 128 letters, digits and hyphens"),
                "{shown}"
            );
            assert!(key.is_empty() || !shown.contains(key), "{shown}");
        }
        assert!(!mistakes("submit.key = 1234567890").contains("1234567890"));
    }

    #[test]
    fn a_key_is_never_shown() {
        let loaded = SettingsTest::new()
            .file(
                "waypost.toml",
                "submit.key_location = 'https://example.com/docs/a1b2c3d4.txt'",
            )
            .variable("WAYPOST_SUBMIT_KEY", "a1b2c3d4")
            .load()
            .expect("no mistake");
        let shown = |key: &str| {
            loaded
                .explained
                .iter()
                .find(|it| it.key == key)
                .map(|it| it.value.as_str())
        };
        assert_eq!(shown("submit.key"), Some("\"********\""));
        assert_eq!(
            shown("submit.key_location"),
            Some("\"https://example.com/docs/********\"")
        );
        assert!(!format!("{:?}", loaded.settings).contains("a1b2c3d4"));
        assert_eq!(
            loaded
                .settings
                .submit
                .key
                .map(|key| key.file_name())
                .as_deref(),
            Some("a1b2c3d4.txt")
        );
    }

    #[test]
    fn a_key_location_is_an_absolute_url() {
        for address in [
            "docs/a.txt",
            "ftp://example.com/a",
            "https://u:p@example.com/a",
            "https://example.com/a?b",
        ] {
            let shown = mistakes(format!("submit.key_location = '{address}'"));
            assert!(
                shown.contains("must be an absolute `http:` or `https:` URL")
                    && !shown.contains(address),
                "{shown}"
            );
        }
    }
}
