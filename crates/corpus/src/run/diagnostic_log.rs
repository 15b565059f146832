//! The diagnostics of a run, of which a crawl may have as many as records.

use std::borrow::Cow;
use std::mem;

use serde::{Serialize, Serializer};

use rehref_document::Position;
use rehref_site::{Diagnostic, Location, Severity};

/// The number of diagnostics that are kept as they are.
const RECENT: usize = 256;

/// The size of a part of the packed diagnostics, in bytes. Parts do not move when more are added.
const PART: usize = 1 << 20;

/// The texts of a diagnostic, of which each may be missing: path, element, attribute, message, reference, help.
const TEXTS: usize = 6;

type Texts = [Option<String>; TEXTS];

/// Diagnostics in their order. All but the latest are packed: of each text, only the end that differs from the same text of
/// the diagnostic before. A diagnostic of a record takes about 20 bytes instead of 500.
#[derive(Clone, Debug, Default)]
pub struct DiagnosticLog {
    packed: Vec<Vec<u8>>,
    /// The codes in the packed diagnostics.
    codes: Vec<&'static str>,
    /// The texts of the packed diagnostic that was added last.
    latest: Texts,
    recent: Vec<Diagnostic>,
}

impl DiagnosticLog {
    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.recent.push(diagnostic);
        if self.recent.len() >= RECENT {
            for diagnostic in mem::take(&mut self.recent) {
                self.pack(diagnostic);
            }
        }
    }

    /// The diagnostics, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, Diagnostic>> {
        let packed = Unpacked {
            left: self.packed.iter().flatten().copied(),
            codes: &self.codes,
            texts: Texts::default(),
        };
        let recent = self.recent.iter().map(Cow::Borrowed);
        packed.map(Cow::Owned).chain(recent)
    }

    /// Drops the diagnostics that are not `is_kept`.
    pub fn retain(&mut self, is_kept: impl Fn(&Diagnostic) -> bool) {
        let kept = self.iter().filter(|it| is_kept(it)).map(Cow::into_owned);
        *self = kept.collect();
    }

    fn pack(&mut self, diagnostic: Diagnostic) {
        let code = self.codes.iter().position(|it| *it == diagnostic.code);
        let code = code.unwrap_or_else(|| {
            self.codes.push(diagnostic.code);
            self.codes.len() - 1
        });
        if self.packed.last().is_none_or(|it| it.len() >= PART) {
            self.packed.push(Vec::with_capacity(PART + (PART >> 4)));
        }
        let Some(out) = self.packed.last_mut() else {
            return;
        };
        let Location { path, position, element, attribute, .. } = diagnostic.location;
        let texts = [
            Some(path.to_string()),
            Some(element.into_owned()),
            Some(attribute.into_owned()),
            Some(diagnostic.message.into_owned()),
            diagnostic.reference.map(String::from),
            diagnostic.help.map(String::from),
        ];
        let (line, column) = position.map_or((0, 0), |it| (it.line, it.column));
        // Lines count from 1.
        let numbers = [code, diagnostic.severity as usize, line, column];
        numbers.iter().for_each(|number| write(out, *number));
        for (text, latest) in texts.iter().zip(&self.latest) {
            let latest = latest.as_deref().unwrap_or_default().as_bytes();
            let Some(text) = text.as_deref().map(str::as_bytes) else {
                write(out, 0);
                continue;
            };
            let shared = latest.iter().zip(text).take_while(|(a, b)| a == b).count();
            write(out, shared + 1);
            write(out, text.len() - shared);
            out.extend(text.iter().skip(shared));
        }
        self.latest = texts;
    }
}

/// Writes `number`, seven bits in each byte, the lowest first.
fn write(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(u8::try_from(number & 0x7F).unwrap_or_default() | 0x80);
        number >>= 7;
    }
    out.push(u8::try_from(number).unwrap_or_default());
}

/// Reads packed diagnostics.
struct Unpacked<'l, I> {
    left: I,
    codes: &'l [&'static str],
    /// The texts of the diagnostic that was read last.
    texts: Texts,
}

impl<I: Iterator<Item = u8>> Unpacked<'_, I> {
    fn number(&mut self) -> Option<usize> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = usize::from(self.left.next()?);
            number |= (byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
    }

    /// The text that was `latest` in the diagnostic before.
    fn text(&mut self, latest: Option<String>) -> Option<Option<String>> {
        let Some(shared) = self.number()?.checked_sub(1) else {
            return Some(None);
        };
        let length = self.number()?;
        let mut bytes = latest.unwrap_or_default().into_bytes();
        bytes.truncate(shared);
        bytes.extend(self.left.by_ref().take(length));
        Some(Some(String::from_utf8(bytes).ok()?))
    }
}

impl<I: Iterator<Item = u8>> Iterator for Unpacked<'_, I> {
    type Item = Diagnostic;

    fn next(&mut self) -> Option<Diagnostic> {
        let code = self.number()?;
        let severity = self.number()?;
        let (line, column) = (self.number()?, self.number()?);
        let mut texts = mem::take(&mut self.texts);
        for text in &mut texts {
            *text = self.text(text.take())?;
        }
        self.texts.clone_from(&texts);
        let [path, element, attribute, message, reference, help] = texts;
        let severities = [Severity::Note, Severity::Warning, Severity::Error];
        let location = Location::new(
            path.unwrap_or_default(),
            (line > 0).then_some(Position { line, column }),
            element.unwrap_or_default(),
            attribute.unwrap_or_default(),
        );
        let severity = severities.into_iter().find(|it| *it as usize == severity)?;
        let message = message.unwrap_or_default();
        let mut diagnostic = Diagnostic::new(severity, self.codes.get(code)?, location, message);
        diagnostic.reference = reference.map(Box::from);
        diagnostic.help = help.map(Box::from);
        Some(diagnostic)
    }
}

impl Extend<Diagnostic> for DiagnosticLog {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: T) {
        diagnostics.into_iter().for_each(|it| self.push(it));
    }
}

impl FromIterator<Diagnostic> for DiagnosticLog {
    fn from_iter<T: IntoIterator<Item = Diagnostic>>(diagnostics: T) -> DiagnosticLog {
        let mut log = DiagnosticLog::default();
        log.extend(diagnostics);
        log
    }
}

impl DiagnosticLog {
    /// Adds the diagnostics of `other`.
    pub(super) fn append(&mut self, other: DiagnosticLog) {
        if other.packed.is_empty() {
            self.extend(other.recent)
        } else {
            self.extend(other.iter().map(Cow::into_owned))
        }
    }
}

impl Serialize for DiagnosticLog {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn diagnostics() -> impl Strategy<Value = Vec<Diagnostic>> {
        let text = "(a|b|ä|日本|\u{1F600}){0,40}";
        let one = (
            (0..3_usize, 0..3_usize),
            (text, text, text, text),
            proptest::option::of((1..1000_usize, 0..usize::MAX)),
            proptest::option::of(text),
            proptest::option::of(text),
        );
        let diagnostic = one.prop_map(|((severity, code), texts, position, reference, help)| {
            let (path, element, attribute, message) = texts;
            let position = position.map(|(line, column)| Position { line, column });
            let mut diagnostic = Diagnostic::new(
                [Severity::Note, Severity::Warning, Severity::Error][severity],
                ["a", "b", "c"][code],
                Location::new(path, position, element, attribute),
                message,
            );
            diagnostic.reference = reference.map(Box::from);
            diagnostic.help = help.map(Box::from);
            diagnostic
        });
        proptest::collection::vec(diagnostic, 0..40)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn diagnostics_come_out_as_they_went_in(some in diagnostics(), times in 1..10_usize) {
            let all: Vec<Diagnostic> = some.iter().cycle().take(some.len() * times).cloned().collect();
            let mut log: DiagnosticLog = all.iter().cloned().collect();
            let read = |log: &DiagnosticLog| log.iter().map(Cow::into_owned).collect::<Vec<_>>();
            prop_assert_eq!(&read(&log), &all);
            let mut twice = log.clone();
            twice.append(log.clone());
            prop_assert_eq!(read(&twice), [&all[..], &all].concat());
            log.retain(|it| it.code != "a");
            let kept: Vec<_> = all.into_iter().filter(|it| it.code != "a").collect();
            prop_assert_eq!(read(&log), kept);
        }
    }

    #[test]
    fn many_similar_diagnostics_need_little_memory() {
        let log: DiagnosticLog = (0..20_000)
            .map(|n| {
                Diagnostic::skipped(
                    format!("a.warc > http://h.example/page-{n}.html"),
                    "cannot be decoded",
                )
            })
            .collect();
        let bytes: usize = log.packed.iter().map(Vec::len).sum();
        assert!(bytes < 30 * 20_000, "{bytes}");
    }
}
