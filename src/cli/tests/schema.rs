//! The JSON Schema of `rehref.toml`, which editors read, made from the table of settings.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::cli::options::{ValueKind, settings};
use rehref_audit::checks::CHECKS;

fn schema() -> Value {
    let command = crate::cli::command();
    let (mut all, mut tables) = (Map::new(), BTreeMap::<&str, Map<String, Value>>::new());
    for row in settings() {
        let of_command = command.find_subcommand(row.command().unwrap_or("audit")).unwrap();
        let is_option =
            |it: &&clap::Arg| it.get_id() == "old" || it.get_long() == Some(row.option());
        let mut options = of_command.get_arguments().filter(is_option);
        let option = match row.value {
            Some(ValueKind::Old) => options.next(),
            _ => options.find(|it| it.get_long().is_some()),
        };
        let help = option.unwrap().get_help().unwrap().to_string();
        let names = option.unwrap().get_possible_values();
        let names: Vec<&str> = names.iter().map(|it| it.get_name()).collect();
        let text = if names.is_empty() || row.value == Some(ValueKind::Flag) {
            json!({"type": "string"})
        } else {
            json!({"type": "string", "enum": names})
        };
        let mut value = match row.value {
            None | Some(ValueKind::Text | ValueKind::Path | ValueKind::Old) => text,
            Some(ValueKind::List | ValueKind::Added) => {
                json!({"anyOf": [text, {"type": "array", "items": text}]})
            }
            Some(ValueKind::Flag) => json!({"type": "boolean"}),
            Some(ValueKind::Levels) => {
                let ids = CHECKS.iter().map(|row| row.id).collect::<Vec<_>>();
                let levels = ["error", "warning", "note", "off"];
                json!({
                    "type": "object",
                    "propertyNames": {"enum": ids},
                    "additionalProperties": {"enum": levels},
                })
            }
        };
        value["description"] = json!(help);
        match row.key.split_once('.') {
            Some((table, key)) => tables.entry(table).or_default().insert(key.to_owned(), value),
            None => all.insert(row.key.to_owned(), value),
        };
    }
    for (name, keys) in tables {
        let table = json!({"type": "object", "properties": keys, "additionalProperties": false});
        all.insert(name.to_owned(), table);
    }
    let same = |key: &String| (key.clone(), json!({"$ref": format!("#/properties/{key}")}));
    let mut of_site: Map<String, Value> = all.keys().map(same).collect();
    let path = json!({"type": "string", "description": "The root of the site"});
    of_site.insert("path".to_owned(), path);
    let of_site = json!({
        "type": "object",
        "properties": of_site,
        "required": ["path"],
        "additionalProperties": false,
    });
    all.insert("site".to_owned(), json!({"type": "array", "items": of_site}));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rehref.toml",
        "type": "object",
        "properties": all,
        "additionalProperties": false,
    })
}

#[test]
fn the_schema_is_the_table_of_settings() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/schemas/config.json");
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "INSTA_UPDATE=always writes {}", path.display());
}
