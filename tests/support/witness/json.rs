//! JSON with links: import maps, speculation rules, web app manifests, JSON-LD.

use std::fmt;
use std::rc::Rc;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use url::Url;

use super::comparison::Comparison;
use super::links::Bases;
use super::rules::{Demand, Empty, Rule};

/// Which strings are links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vocabulary {
    ImportMap,
    SpeculationRules,
    JsonLd,
    Manifest,
}

/// A value, its members in their order, none lost.
#[derive(Clone, Debug, PartialEq)]
enum Json {
    /// A number, `true`, `false` or `null`.
    Scalar(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn member(&self, name: &str) -> Option<&Json> {
        match self {
            // Of several members with one name the last one counts.
            Json::Object(members) => {
                members.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Scalar(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Scalar(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Scalar(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Scalar(value.to_string()))
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Scalar("null".to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = entries.next_entry()? {
            members.push(member);
        }
        Ok(Json::Object(members))
    }
}

/// The meaning of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StringKind {
    NoLink,
    Link(Rule),
    /// A link where it is like a URL: with a scheme, or beginning with `/`, `./` or `../`.
    UrlLike,
    /// A link within the origin of `start_url`.
    ManifestId,
}

/// One step into a value.
#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Member(&'a str),
    Item,
}

impl Comparison {
    /// Two JSON texts: the same characters outside of strings, the same strings where they are
    /// no links. What is no JSON has to be the same.
    pub(super) fn compare_json(
        &mut self,
        vocabulary: Vocabulary,
        bases: &Bases,
        before: &str,
        after: &str,
    ) -> Result<(), String> {
        let Ok(value) = serde_json::from_str::<Json>(before) else {
            return if before == after {
                Ok(())
            } else {
                Err("what is no JSON was touched".to_string())
            };
        };
        let value_after = serde_json::from_str::<Json>(after)
            .map_err(|error| format!("is no JSON any more: {error}"))?;
        if !around_strings(before).eq(around_strings(after)) {
            return Err("what stands around the strings differs".to_string());
        }
        let mut walk = JsonWalk {
            vocabulary,
            origin: start_origin(&value, &bases.0)
                .map(Rc::new)
                .zip(start_origin(&value_after, &bases.1).map(Rc::new)),
            // Other things are called manifest.json too.
            demanding: vocabulary != Vocabulary::Manifest
                || value.member("start_url").is_some()
                || matches!(value.member("icons"), Some(Json::List(_))),
            bases,
            comparison: self,
        };
        walk.compare(&mut Vec::new(), &value, &value_after)
    }
}

struct JsonWalk<'a> {
    vocabulary: Vocabulary,
    origin: Option<Bases>,
    demanding: bool,
    bases: &'a Bases,
    comparison: &'a mut Comparison,
}

impl JsonWalk<'_> {
    fn compare<'v>(
        &mut self,
        path: &mut Vec<Step<'v>>,
        before: &'v Json,
        after: &Json,
    ) -> Result<(), String> {
        match (before, after) {
            (Json::Scalar(value), Json::Scalar(value_after)) if value == value_after => Ok(()),
            (Json::Text(text), Json::Text(text_after)) => {
                let kind = self.value_kind(path);
                self.compare_strings(path, kind, text, text_after)
            }
            (Json::List(list), Json::List(list_after)) if list.len() == list_after.len() => {
                path.push(Step::Item);
                for (item, item_after) in list.iter().zip(list_after) {
                    self.compare(path, item, item_after)?;
                }
                path.pop();
                Ok(())
            }
            (Json::Object(members), Json::Object(members_after))
                if members.len() == members_after.len() =>
            {
                for ((name, value), (name_after, value_after)) in members.iter().zip(members_after)
                {
                    let kind = self.name_kind(path);
                    self.compare_strings(path, kind, name, name_after)?;
                    path.push(Step::Member(name));
                    self.compare(path, value, value_after)?;
                    path.pop();
                }
                Ok(())
            }
            _ => Err(format!("{}: another value", spell(path))),
        }
    }

    fn compare_strings(
        &mut self,
        path: &[Step],
        kind: StringKind,
        text: &str,
        text_after: &str,
    ) -> Result<(), String> {
        let mut rule = Rule::JSON;
        let mut bases = self.bases;
        let no_link = match kind {
            StringKind::NoLink => true,
            StringKind::Link(link) => {
                rule = link;
                false
            }
            StringKind::UrlLike => !is_url_like(text),
            StringKind::ManifestId => {
                rule.demand = Demand::Optional;
                bases = self.origin.as_ref().unwrap_or(bases);
                text.is_empty()
            }
        };
        if !self.demanding {
            rule.demand = Demand::Optional;
        }
        let result = if no_link {
            if text == text_after { Ok(()) } else { Err("a string that is no link".to_string()) }
        } else {
            self.comparison.compare_urls(rule, bases, text, text_after)
        };
        result.map_err(|problem| format!("{}: {text:?} -> {text_after:?}: {problem}", spell(path)))
    }

    /// The kind of a string that is a value.
    fn value_kind(&self, path: &[Step]) -> StringKind {
        use Step::{Item, Member};
        let optional = Rule { demand: Demand::Optional, ..Rule::JSON };
        let nearest = path.iter().rev().find_map(|step| match step {
            Member(name) => Some(*name),
            Item => None,
        });
        match self.vocabulary {
            Vocabulary::ImportMap => match path {
                [Member("imports"), Member(name)] if !name.is_empty() => StringKind::UrlLike,
                [Member("scopes"), Member(_), Member(name)] if !name.is_empty() => {
                    StringKind::UrlLike
                }
                _ => StringKind::NoLink,
            },
            Vocabulary::SpeculationRules => match path {
                [
                    Member("prefetch" | "prerender" | "prerender_until_script"),
                    Item,
                    Member("urls"),
                    Item,
                ] => StringKind::Link(Rule::JSON),
                _ => StringKind::NoLink,
            },
            Vocabulary::Manifest => {
                let rule = Rule { empty: Empty::Nothing, ..Rule::JSON };
                match path {
                    [Member("id")] => StringKind::ManifestId,
                    [Member("start_url" | "scope")] => StringKind::Link(rule),
                    [.., Member("icons" | "screenshots"), Item, Member("src")]
                    | [Member("shortcuts"), Item, Member("url")]
                    | [Member("share_target"), Member("action")]
                    | [Member("file_handlers"), Item, Member("action")]
                    | [Member("protocol_handlers"), Item, Member("url")] => StringKind::Link(rule),
                    [.., Member("src" | "url" | "action" | "new_note_url" | "scope")] => {
                        StringKind::Link(optional)
                    }
                    _ => StringKind::NoLink,
                }
            }
            Vocabulary::JsonLd => match nearest {
                Some("url" | "image" | "logo" | "sameAs") => {
                    StringKind::Link(Rule { demand: Demand::UnlessLocal, ..Rule::JSON })
                }
                Some(name) if JSON_LD_NAMES.contains(&name) => StringKind::Link(optional),
                _ => StringKind::NoLink,
            },
        }
    }

    /// The kind of a string that is the name of a member.
    fn name_kind(&self, path: &[Step]) -> StringKind {
        use Step::Member;
        match (self.vocabulary, path) {
            (Vocabulary::ImportMap, [Member("imports" | "integrity")]) => StringKind::UrlLike,
            (Vocabulary::ImportMap, [Member("scopes"), Member(_)]) => StringKind::UrlLike,
            (Vocabulary::ImportMap, [Member("scopes")]) => StringKind::Link(Rule::JSON),
            _ => StringKind::NoLink,
        }
    }
}

/// Members of JSON-LD that a tool may know to be URLs.
const JSON_LD_NAMES: &[&str] = &[
    "@id", "acceptsReservations", "actionPlatform", "codeRepository", "contentUrl",
    "discussionUrl", "downloadUrl", "embedUrl", "hasMap", "hasMenu", "installUrl", "isPartOf",
    "item", "license", "mainEntityOfPage", "menu", "photo", "publishingPrinciples", "relatedLink",
    "screenshot", "significantLink", "target", "thumbnail", "thumbnailUrl", "urlTemplate",
];

fn is_url_like(text: &str) -> bool {
    text.starts_with('/')
        || text.starts_with("./")
        || text.starts_with("../")
        || Url::parse(text).is_ok()
}

/// Where a manifest's `id` starts from.
fn start_origin(manifest: &Json, base: &Url) -> Option<Url> {
    let start = manifest.member("start_url").and_then(Json::text);
    let start = base.join(start.unwrap_or_default()).ok()?;
    start.join("/").ok()
}

/// The pieces of a JSON text outside of its strings.
fn around_strings(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(start) = text.find('"') else {
            rest = None;
            return Some(text);
        };
        let string = &text[start + 1..];
        let mut escaped = false;
        let end = string.bytes().position(|byte| {
            let end = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            end
        });
        rest = end.map(|end| &string[end + 1..]);
        Some(&text[..start])
    })
}

fn spell(path: &[Step]) -> String {
    let mut spelled = "$".to_string();
    for step in path {
        match step {
            Step::Member(name) => {
                spelled.push('.');
                spelled.push_str(name);
            }
            Step::Item => spelled.push_str("[]"),
        }
    }
    spelled
}
