//! Custom properties of CSS with URLs, whose base URL is that of the style sheet that uses them.

use std::collections::{HashMap, HashSet};

use crate::reference::{BaseOf, Reference};

/// The custom properties of a document: all of its `style` elements and attributes see one another's.
#[derive(Debug, Default)]
pub(super) struct CustomProperties {
    /// The names in `var()`, by scope.
    used: HashMap<usize, HashSet<String>>,
    /// The containers of URLs in values, with the scope and the name.
    defined: HashMap<usize, (usize, String)>,
}

impl CustomProperties {
    /// Adds the custom properties that a text of `scope` uses.
    pub(super) fn use_in(&mut self, scope: usize, names: HashSet<String>) {
        if !names.is_empty() {
            self.used.entry(scope).or_default().extend(names);
        }
    }

    /// Adds the URL `container` in the value of the custom property `name`.
    pub(super) fn define(&mut self, scope: usize, name: String, container: usize) {
        self.defined.insert(container, (scope, name));
    }

    /// Makes the base URL unknown of references in values that nothing in their own document uses, since
    /// any style sheet may.
    pub(super) fn settle(&self, references: &mut [Reference]) {
        if self.defined.is_empty() {
            return;
        }
        for reference in references {
            if let Some((scope, name)) = self.defined.get(&reference.container)
                && !self.used.get(scope).is_some_and(|names| names.contains(name))
            {
                reference.base = BaseOf::Unknown;
            }
        }
    }
}
