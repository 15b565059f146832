//! Reports of JSON are what the schemas in `docs/reference/schemas` say.

use std::path::Path;

use serde_json::Value;

use crate::support::{TestDir, copy_tree};

fn schema(name: &str) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("docs/reference/schemas").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The errors of `value` by the part `schema` of `whole`. Knows the keywords that the schemas use, and fails on
/// others.
fn errors(whole: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (keyword, wanted) in schema.as_object().unwrap() {
        let fits = match keyword.as_str() {
            "$ref" => {
                let path = wanted.as_str().unwrap().trim_start_matches('#');
                found.extend(errors(whole, whole.pointer(path).unwrap(), value, at));
                true
            }
            "type" => match wanted {
                Value::Array(types) => types.iter().any(|it| is_of_type(value, it)),
                one => is_of_type(value, one),
            },
            "const" => value == wanted,
            "enum" => wanted.as_array().unwrap().contains(value),
            "minimum" => value.as_i64().is_none_or(|it| it >= wanted.as_i64().unwrap()),
            // Other kinds of values have no members.
            "required" if !value.is_object() => true,
            "required" => {
                let names = wanted.as_array().unwrap().iter();
                let names = names.map(|name| name.as_str().unwrap());
                let missing: Vec<_> = names.filter(|name| value.get(name).is_none()).collect();
                found.extend(missing.iter().map(|name| format!("{at}: {name} is missing")));
                true
            }
            "items" => {
                for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(errors(whole, wanted, item, &format!("{at}/{number}")));
                }
                true
            }
            "properties" => {
                for (name, part) in wanted.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        found.extend(errors(whole, part, member, &format!("{at}/{name}")));
                    }
                }
                true
            }
            "additionalProperties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    match wanted {
                        _ if schema["properties"].get(name).is_some() => {}
                        Value::Bool(false) => found.push(format!("{at}: {name} is unknown")),
                        part => found.extend(errors(whole, part, member, &format!("{at}/{name}"))),
                    }
                }
                true
            }
            "description" | "title" | "$schema" | "$defs" => true,
            other => panic!("{other}: the test does not know this keyword"),
        };
        if !fits {
            found.push(format!("{at}: {value} is not {keyword} {wanted}"));
        }
    }
    found
}

fn is_of_type(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap() {
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other}"),
    }
}

#[test]
fn reports_are_what_their_schemas_say() {
    const URL: &str = "https://example.org/docs/";
    let dir = TestDir::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy_tree(&root.join("sample-site"), &dir.path("site"));
    copy_tree(&root.join("sample-site"), &dir.path("other"));
    dir.write("other/index.html", b"<a href=x>");
    dir.write("other/more.html", b"");
    dir.write("site/odd.xml", b"<rss><link>x</rss>");
    dir.write("site/page.html.gz", b"x");
    for (arguments, name) in [
        (&["audit", "site"][..], "audit.json"),
        (&["audit", "site", "--url", URL, "-v"], "audit.json"),
        (&["audit", "site", "--sources", "other"], "audit.json"),
        (&["absolute", "site", "--url", URL, "-n"], "rewrite.json"),
        (
            &["absolute", "site", "--url", URL, "-o", "out", "-v", "--include", "none"],
            "rewrite.json",
        ),
        (&["relative", "site", "--offline", "-n"], "rewrite.json"),
        (&["move", "site", "news=blog", "-n", "--url", URL], "rewrite.json"),
        (&["verify", "site", "other"], "verify.json"),
        (&["verify", "site", "site", "-v"], "verify.json"),
        (&["config"], "settings.json"),
        (&["explain"], "explain.json"),
        (&["explain", "orphan"], "explain.json"),
    ] {
        let arguments = [arguments, &["--format", "json", "--allow-empty"][..]].concat();
        let is_site = !["config", "explain"].contains(&arguments[0]);
        let keep = arguments.len() - usize::from(!is_site);
        let run = dir.rehref(&arguments[..keep]);
        let report: Value = serde_json::from_str(&run.stdout())
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", run.stderr()));
        let schema = schema(name);
        assert_eq!(errors(&schema, &schema, &report, ""), [""; 0], "{arguments:?}");
    }
    let (audit, link) = (schema("audit.json"), schema("link.json"));
    // Sources have syntaxes of links that pages do not have.
    dir.write("sources/hugo.toml", b"[[menus.main]]\npageRef = '/a'\n");
    dir.write("sources/content/a.md", b"+++\naliases = ['/b/']\n+++\n[b](b.md) <a href=b.md>\n");
    dir.write(
        "sources/content/b.md",
        b"---\naliases: [/c/, /d/]\n---\n[a](a.md) [c](c.md) [a](a.md#x)\n",
    );
    for (command, site, whole, part) in [
        ("audit", "site", &audit, &audit["$defs"]["finding"]),
        ("audit", "sources", &audit, &audit["$defs"]["finding"]),
        ("links", "site", &link, &link),
        ("links", "sources", &link, &link),
    ] {
        let run = dir.rehref(&[command, site, "--format", "jsonl"]);
        assert!(run.stdout().lines().count() > 1, "{command} {site}: {}", run.stderr());
        for line in run.stdout().lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            assert_eq!(errors(whole, part, &record, ""), [""; 0], "{line}");
        }
    }
    // The test can fail.
    let wrong = serde_json::json!({"format": "rehref-audit", "version": 2, "more": 1});
    assert_eq!(errors(&audit, &audit, &wrong, "").len(), 5);
}
