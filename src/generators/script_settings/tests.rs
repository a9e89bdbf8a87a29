//! Tests of `script_settings`.

use super::*;

fn check(program: &str, language: ScriptLanguage, expected: &str) {
    assert_eq!(
        literals(program, language).to_string(),
        expected,
        "{program}"
    );
}

#[test]
fn literals_of_the_exported_object_are_read_by_name() {
    let check =
        |program: &str, expected: &str| check(program, ScriptLanguage::JavaScript, expected);
    check(
        "module.exports = {\n  url: 'https://example.com',\n  \"baseUrl\": `/a/`,\n};",
        r#"{"url":"https://example.com","baseUrl":"/a/"}"#,
    );
    check(
        "export default { dir: { input: 'a', output: \"b\" } };",
        r#"{"dir":{"input":"a","output":"b"}}"#,
    );
    check(
        "export default (config) => { config.setInputDirectory(\"src\") }",
        r#"{"setInputDirectory":"src"}"#,
    );
    check(
        "export default { trailingSlash: false, x: trueish }",
        r#"{"trailingSlash":false,"x":null}"#,
    );
}

#[test]
fn a_call_in_an_array_is_an_entry_with_its_name() {
    let check =
        |program: &str, expected: &str| check(program, ScriptLanguage::JavaScript, expected);
    check(
        "const l = { fr: {} }; export default { a: [b(), c({ d: 'e', locales: l }), 'f', g ? h : i] };",
        r#"{"a":[{"b":null},{"c":{"d":"e","locales":{"fr":{}}}},"f",null]}"#,
    );
    check(
        "export default { a: [], b: [[1], ['c']] };",
        r#"{"a":[],"b":[[null],["c"]]}"#,
    );
    check(
        "export default { a: [['b', /** @type {T} */ ({ c: 'd', e: ({ f: 'g' }) })]] };",
        r#"{"a":[["b",{"c":"d","e":{"f":"g"}}]]}"#,
    );
}

/// Programs, one per line, that export the value `a` of `url` alone; `\n` is a new line.
const FOUND: &str = r"
const config = { url: 'a' };\nexport default config;
const config: Record<string, { b: c }> = { url: 'a' }\nexport default config satisfies Config
export default defineConfig({ url: 'a' });
export default plugin({ url: 'b' })(wrap({ url: 'a' }));
const base = { url: 'a' }; export default { ...base };
export default async function ({ url: b }) { if (c) { return { url: 'a' } } return { url: 'a' } }
async function create(): Promise<Config> { const b = { url: 'a' }; return b }\nexport default create;
module.exports = (config) => ({ url: 'a' });
module.exports = ({ url }) => { return ({ url: 'a' }); };
export default defineConfig(async () => ({ url: 'a' }));
export const config = { url: 'a' };\nexport default (config) => {};
const url = 'a'; module.exports = { url: url };
const url = 'a'; export default { url: url\n}
const url: string = 'a';\nexport default { url };
const URL = 'a'\nexport default { url: URL }
interface Site { url: string; title: string }\nconst site: Site = { url: 'a' };\nexport default site
links.map(url => url.href); const url = 'a'; export default { url }
";

/// Programs whose exported object has `HERE` and in which other things have the same name.
const AMONG_OTHERS: &str = r#"
const url = process.env.URL ?? 'b';\nexport default { HERE };
const stats = { url: 'b' };\nexport default { HERE, plugins: [stats, other({ url: 'c' })] };
export default { HERE, items: links.map((link) => ({ ...link, url: link.url.trim() })) };
export default { HERE, transform(code, url = this.url) { return { url: url() } } };
module.exports = (c) => { c.on('b', async ({ d: { url: e } }) => { return { url: e } }); return { HERE } };
module.exports = (c) => { function d() { return { url: e } }\n let url = d(); return { HERE } };
export default { HERE, strip: (text) => text.replace(/[{'"]/g, `${url({ b })}`) };
if (url == b || url === c || url != d) {}\nexport default { HERE };
"#;

/// Programs in which `url` is computed, conflicting or commented out.
const NOT_READ: &str = r"
// module.exports = { url: 'a' }\n/* export default { url: 'b' } */
export default { url: 'a' + host }
export default { url: `https://${host}` }
export default { url: process.env.URL }
a({ url: 'a' }); b({ url: 'b' })
export default a({ url: 'a' }, b({ url: 'b' }))
export default { url: process.env.URL ?? 'a', b: c({ url: 'b' }) }
export default { 'url': production ? 'a' : b }; b({ url: 'b' })
const url = 'a'; export default { url: url + b }
const url = 'a'; export default { url: string(b) }
let url = 'a'; if (b) { url = c } export default { url }
export default () => { if (a) return { url: 'a' }; return { url: 'b' } }
export default (c) => { c.setUrl('a'); c.setUrl('b') }
export default { url: 'never closed\n }
'url'
";

fn programs(table: &str) -> impl Iterator<Item = String> {
    let lines = table.trim().lines();
    lines.map(|line| line.replace("\\n", "\n"))
}

#[test]
fn the_exported_object_is_found_through_names_calls_and_functions() {
    for program in programs(FOUND) {
        check(&program, ScriptLanguage::JavaScript, r#"{"url":"a"}"#);
    }
}

#[test]
fn other_uses_of_a_setting_name_do_not_hide_the_setting() {
    for program in programs(AMONG_OTHERS) {
        let program = program.replace("HERE", "url: 'a'");
        let read = literals(&program, ScriptLanguage::JavaScript);
        assert_eq!(read.get("url"), Some(&Value::from("a")), "{program}");
    }
}

#[test]
fn computed_conflicting_or_commented_out_values_are_not_read() {
    for program in programs(NOT_READ) {
        let read = literals(&program, ScriptLanguage::JavaScript);
        assert!(read.get("url").is_none_or(Value::is_null), "{program}");
    }
}

#[test]
fn python_assignments_at_the_start_of_a_line_are_read() {
    let check = |program: &str, expected: &str| check(program, ScriptLanguage::Python, expected);
    check(
        "html_baseurl = \"https://example.com/\" # it\nproject: str = 'X'\nhtml_copy_source = True\n@a\n",
        r#"{"html_baseurl":"https://example.com/","project":"X","html_copy_source":true}"#,
    );
    let with_others = "project = 'a'\nb = {'project': project.lower()}\nif project:\n    project = c()\n\
                       d(\nproject=project)\ne = \"\"\"\nproject = 'f'\n\"\"\"\nif project == 'g': h()\n";
    check(with_others, r#"{"project":"a","b":null,"e":null}"#);
    check("# url = 'a'\n", "{}");
    check(
        "url = u'a'\nproject = R\"b\"",
        r#"{"url":"a","project":"b"}"#,
    );
    check(
        "a = r'\\d{4}'\nb = ['c', \"d\"]\ng = []\nh = ('i')\nj: list[str] = ['k'] # it\n",
        r#"{"a":"\\d{4}","b":["c","d"],"g":[],"h":null,"j":["k"]}"#,
    );
    let computed = [
        "url = [a]",
        "url = ['a'] + b",
        "url = ['a', 'b' 'c']",
        "url = ['a',",
        "url = 'a'\nurl = os.environ.get(name)",
        "url = 'a'\nurl += 'b'",
        "url = 'a' 'b'\n",
        "url = f'{a}'\n",
        "url = r'a\\'b'",
        "url = \"\"\"a\"\"\"",
    ];
    for program in computed {
        check(program, r#"{"url":null}"#);
    }
}

#[test]
fn huge_unterminated_programs_yield_no_settings() {
    let many = |text: &str| text.repeat(100_000);
    let check = |program: String| {
        assert_eq!(
            literals(&program, ScriptLanguage::JavaScript).to_string(),
            "{}"
        );
    };
    check(format!("export default {}", many("(")));
    check(format!("export default {}", many("a(")));
    check(format!("export default a({}", many("a<")));
    check(format!("export default a{}", many("(a<b, ")));
    check(format!("export {{{}", many("a as ")));
    check(many("export { a as default } "));
    check(format!("export default a{}", many("a:{")));
    check(format!("export default {}", many("`${")));
    check(many("const a: "));
    check(many("(/[ "));
    check(many("'\\'"));
}
