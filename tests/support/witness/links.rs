//! Links: do two values lead to the same places?

use std::rc::Rc;

use url::Url;

use super::comparison::{Comparison, Element, Setting};
use super::css::css_urls;
use super::nodes::first_difference;
use super::rules::{Demand, Empty, Fragments, Kind, Rule};
use super::values::{
    UNKNOWN_ENTITY, around, is_template_markup, parse_refresh, parse_srcset, split_commas,
    split_spaces, trim,
};
use super::{Link, LinkPair};

/// The base URLs of the links before and after.
pub(super) type Bases = (Rc<Url>, Rc<Url>);

impl Comparison {
    pub(super) fn compare_values(
        &mut self,
        element: &Element,
        element_after: &Element,
        rule: Rule,
        value: &str,
        value_after: &str,
    ) -> Result<(), String> {
        let bases = (
            self.before.base_for(rule.relative_to, element),
            self.after.base_for(rule.relative_to, element_after),
        );
        let same = value == value_after && bases.0 == bases.1;
        if same && rule.demand == Demand::Optional && !self.options.pairs {
            return Ok(());
        }
        if is_template_markup(value) || value.contains(UNKNOWN_ENTITY) {
            if value == value_after {
                return Ok(());
            } else if !matches!(rule.kind, Kind::Css | Kind::Document) {
                return Err("template markup was touched".to_string());
            }
        }
        match rule.kind {
            Kind::Css => self.compare_css(rule, &bases, value, value_after),
            Kind::Document => {
                let values = (value, value_after);
                self.compare_embedded(element.node, Setting::Srcdoc, self.options, values);
                Ok(())
            }
            Kind::Single => self.compare_urls(rule, &bases, value, value_after),
            Kind::SpaceSeparated => self.compare_lists(
                rule,
                &bases,
                (value, &split_spaces(value)),
                (value_after, &split_spaces(value_after)),
            ),
            Kind::CommaSeparated => self.compare_lists(
                rule,
                &bases,
                (value, &split_commas(value)),
                (value_after, &split_commas(value_after)),
            ),
            Kind::Srcset => {
                let candidates = parse_srcset(value);
                let candidates_after = parse_srcset(value_after);
                let descriptors = candidates.iter().map(|(_, descriptors)| descriptors);
                let descriptors_after = candidates_after.iter().map(|(_, descriptors)| descriptors);
                if !descriptors.eq(descriptors_after) {
                    return Err("the descriptors differ".to_string());
                }
                let urls: Vec<&str> = candidates.iter().map(|(url, _)| *url).collect();
                let urls_after: Vec<&str> = candidates_after.iter().map(|(url, _)| *url).collect();
                self.compare_lists(rule, &bases, (value, &urls), (value_after, &urls_after))
            }
            Kind::Refresh => {
                let (refresh, refresh_after) = (parse_refresh(value), parse_refresh(value_after));
                match (refresh, refresh_after) {
                    (Some((time, Some(url))), Some((time_after, Some(url_after)))) => {
                        if time != time_after {
                            return Err("the time differs".to_string());
                        }
                        self.compare_lists(
                            rule,
                            &bases,
                            (value, &[url]),
                            (value_after, &[url_after]),
                        )
                    }
                    _ if value == value_after => Ok(()),
                    _ => Err("one of them is no refresh with a URL".to_string()),
                }
            }
        }
    }

    pub(super) fn compare_lists(
        &mut self,
        rule: Rule,
        bases: &Bases,
        (value, urls): (&str, &[&str]),
        (value_after, urls_after): (&str, &[&str]),
    ) -> Result<(), String> {
        if urls.len() != urls_after.len() {
            return Err(format!("{} URLs became {}", urls.len(), urls_after.len()));
        }
        for (url, url_after) in urls.iter().zip(urls_after) {
            self.compare_urls(rule, bases, url, url_after)?;
        }
        let (mut pieces, mut pieces_after) = (around(value, urls), around(value_after, urls_after));
        if rule.kind == Kind::Refresh {
            // A target with a quote in it needs the other quotes, or none.
            for piece in pieces.iter_mut().chain(&mut pieces_after) {
                *piece = piece.trim_matches(['\'', '"']);
            }
        }
        if pieces != pieces_after {
            return Err("what stands around the URLs differs".to_string());
        }
        Ok(())
    }

    pub(super) fn compare_urls(
        &mut self,
        rule: Rule,
        (base, base_after): &Bases,
        url: &str,
        url_after: &str,
    ) -> Result<(), String> {
        self.stats.urls += 1;
        let same = url == url_after;
        if url.is_empty() && rule.empty == Empty::Nothing {
            return if same {
                Ok(())
            } else {
                Err("an empty value, which is no link here, was touched".to_string())
            };
        }
        if is_template_markup(url) || url.contains(UNKNOWN_ENTITY) {
            return if same { Ok(()) } else { Err("template markup was touched".to_string()) };
        }
        if rule.fragments == Fragments::Fixed && url.starts_with('#') {
            return if same {
                Ok(())
            } else {
                Err("a reference within the document was touched".to_string())
            };
        }
        if self.options.pairs {
            let local = trim(url).starts_with('#')
                && (rule.demand == Demand::UnlessLocal || self.setting == Setting::Srcdoc);
            if same && local {
                // It means something in the document at hand, wherever that stands.
                return Ok(());
            }
            self.pairs.push(LinkPair {
                carrier: self.carrier.clone(),
                optional: rule.demand == Demand::Optional,
                before: Link {
                    reference: url.to_string(),
                    target: self.before.resolve(Some(base), url, rule.queries),
                },
                after: Link {
                    reference: url_after.to_string(),
                    target: (self.after).resolve(Some(base_after), url_after, rule.queries),
                },
            });
            return Ok(());
        }
        let Some(target) = self.before.resolve(Some(base), url, rule.queries) else {
            return if same {
                Ok(())
            } else {
                Err("what does not parse as a URL was touched".to_string())
            };
        };
        if target.cannot_be_a_base() {
            return if same {
                Ok(())
            } else {
                Err("a URL that is not hierarchical was touched".to_string())
            };
        }
        let moved = rule.demand == Demand::Optional && base != base_after;
        let may_stay = rule.may_stay(url) && !moved
            // Browsers do not agree on where that leads in a srcdoc.
            || self.setting == Setting::Srcdoc && trim(url).starts_with('#');
        if same && may_stay {
            return Ok(());
        }
        if same && base == base_after && !self.options.absolute {
            return Ok(());
        }
        match self.after.resolve(Some(base_after), url_after, rule.queries) {
            None => Err(format!("led to {target}, does not parse now")),
            Some(target_after) if target != target_after => {
                Err(format!("led to {target}, leads to {target_after}"))
            }
            Some(_) if self.options.absolute && !self.is_absolute(url_after, &target, rule) => {
                Err(format!("is not an absolute URL (target {target})"))
            }
            Some(_) => Ok(()),
        }
    }

    /// Two style sheets, or the declarations of `style` attributes.
    pub(super) fn compare_css(
        &mut self,
        rule: Rule,
        bases: &Bases,
        css: &str,
        css_after: &str,
    ) -> Result<(), String> {
        let (urls, urls_after) = (css_urls(css), css_urls(css_after));
        if urls.len() != urls_after.len() {
            return Err(format!("{} URLs became {}", urls.len(), urls_after.len()));
        }
        for (url, url_after) in urls.iter().zip(&urls_after) {
            let rule = if url.certain { rule } else { Rule { demand: Demand::Optional, ..rule } };
            let (spelled, spelled_after) =
                (&css[url.span.clone()], &css_after[url_after.span.clone()]);
            let problem = if url.value == url_after.value && spelled != spelled_after {
                Err("is spelled otherwise without need".to_string())
            } else {
                self.compare_urls(rule, bases, &url.value, &url_after.value)
            };
            problem.map_err(|problem| format!("{spelled:?} -> {spelled_after:?}: {problem}"))?;
        }
        let spelled: Vec<&str> = urls.iter().map(|url| &css[url.span.clone()]).collect();
        let spelled_after = urls_after.iter().map(|url| &css_after[url.span.clone()]);
        let spelled_after: Vec<&str> = spelled_after.collect();
        let (pieces, pieces_after) = (around(css, &spelled), around(css_after, &spelled_after));
        match pieces.iter().zip(&pieces_after).find(|(b, a)| b != a) {
            None => Ok(()),
            Some((piece, piece_after)) => Err(format!(
                "what stands around the URLs differs: {}",
                first_difference(piece, piece_after)
            )),
        }
    }

    /// Whether `url` leads to `target` without any base.
    pub(super) fn is_absolute(&self, url: &str, target: &Url, rule: Rule) -> bool {
        // `https:x` is relative to a base of the same scheme; with the slashes nothing is.
        url.strip_prefix(target.scheme()).is_some_and(|rest| rest.starts_with("://"))
            || self.after.resolve(None, url, rule.queries).as_ref() == Some(target)
    }
}
