//! Reads the sitemap settings of a page from its front matter.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::mistake::text_of;
use crate::findings::{Finding, Findings, Subject, code};
use crate::settings::fixed_date;
use sitemaps::{ChangeFreq, Priority};

/// Values that a page sets for its own entry; they override every rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct PageOverrides {
    /// `<priority>`.
    pub priority: Option<Priority>,
    /// `<changefreq>`.
    pub changefreq: Option<ChangeFreq>,
    /// A fixed date, as written and already validated.
    #[serde(deserialize_with = "fixed_date")]
    pub lastmod: Option<String>,
    /// Whether the page is excluded.
    pub exclude: Option<bool>,
}

impl PageOverrides {
    /// Adds the values of waypost's own table, which is at a dotted path of the front matter. Each entry
    /// is read alone, so that a mistake in one does not hide the others.
    pub fn add(&mut self, path: &str, table: &Json, subject: &Subject, findings: &Findings) {
        let Some(entries) = table.as_object() else {
            findings.add(ignored(subject, &format!("`{path}` must be a table"), None));
            return;
        };
        for (key, value) in entries {
            match Self::deserialize(json!({ key: value })) {
                Ok(read) => {
                    self.priority = read.priority.or(self.priority);
                    self.changefreq = read.changefreq.or(self.changefreq);
                    self.lastmod = read.lastmod.or(self.lastmod.take());
                    self.exclude = read.exclude.or(self.exclude);
                }
                Err(error) => {
                    let (message, hint) = text_of(&error, &format!("{path}.{key}"), &[]);
                    findings.add(ignored(subject, &message, hint));
                }
            }
        }
    }

    /// Adds the values of Hugo's own table: `disable` excludes a page, and `filename` means nothing here.
    /// `null`, an empty string and a negative priority mean "unset".
    pub fn add_of_hugo(
        &mut self,
        path: &str,
        table: &Json,
        subject: &Subject,
        findings: &Findings,
    ) {
        let mut ours = Map::new();
        for (key, value) in table.as_object().into_iter().flatten() {
            if value.is_null() || value == "" || value.as_f64().is_some_and(|number| number < 0.0) {
                continue;
            }
            let key = match key.to_ascii_lowercase().as_str() {
                "filename" => continue,
                "disable" => "exclude".to_owned(),
                key => key.to_owned(),
            };
            ours.insert(key, value.clone());
        }
        self.add(path, &ours.into(), subject, findings);
    }
}

fn ignored(subject: &Subject, message: &str, hint: Option<String>) -> Finding {
    let message = format!("{message}, so it is ignored");
    let finding = Finding::new(code::SETTINGS_IGNORED, subject.clone(), message);
    Finding { hint, ..finding }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::located_values::Syntax;

    #[test]
    fn a_page_can_override_every_value_of_its_entry() {
        let text = "priority = 1\nchangefreq = \"daily\"\nlastmod = 2024-05-06\nexclude = false\n";
        let table = Syntax::Toml.to_json(text).expect("TOML");
        let mut found = PageOverrides::default();
        let findings = Findings::default();
        found.add("extra.waypost", &table, &Subject::Site, &findings);
        assert_eq!(findings.take_sorted(), []);
        let expected = PageOverrides {
            priority: Priority::new(1.0),
            changefreq: Some(ChangeFreq::Daily),
            lastmod: Some("2024-05-06".to_owned()),
            exclude: Some(false),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn hugos_table_has_names_and_values_of_its_own() {
        let check = |table: Json, expected: PageOverrides, mistakes: usize| {
            let mut found = PageOverrides::default();
            let findings = Findings::default();
            found.add_of_hugo("sitemap", &table, &Subject::Site, &findings);
            let count = findings.take_sorted().len();
            assert_eq!((found, count), (expected, mistakes), "{table}");
        };
        let quarter = PageOverrides {
            exclude: Some(true),
            priority: Priority::new(0.25),
            ..PageOverrides::default()
        };
        check(
            json!({ "Disable": true, "filename": "x.xml", "priority": 0.25 }),
            quarter,
            0,
        );
        let unset = json!({ "priority": -1, "changefreq": "", "disable": null });
        check(unset, PageOverrides::default(), 0);
        let wrong = json!({ "priority": 2, "changefreq": "soon", "disable": "yes", "x": 1 });
        check(wrong, PageOverrides::default(), 4);
    }
}
