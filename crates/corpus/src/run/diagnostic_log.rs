//! The diagnostics of a run, of which a crawl may have as many as records.

use std::borrow::Cow;
use std::{io, mem};

use serde::{Serialize, Serializer};

use rehref_document::Position;
use rehref_site::{Diagnostic, Location, Severity};

/// The number of diagnostics that are kept as they are, and packed together.
const RECENT: usize = 256;

/// A list of diagnostics. All but the latest are stored as compressed JSON, in which a diagnostic of a record
/// takes about 20 bytes instead of 500.
#[derive(Clone, Debug, Default)]
pub struct DiagnosticLog {
    packed: Vec<Vec<u8>>,
    /// The codes in the packed diagnostics.
    codes: Vec<&'static str>,
    recent: Vec<Diagnostic>,
}

/// A diagnostic: the number of its code, its severity, its line and column, and its texts: path, element, attribute and
/// message; reference and help.
type Packed<'d> =
    (usize, Severity, Option<(usize, usize)>, [Cow<'d, str>; 4], [Option<Cow<'d, str>>; 2]);

impl DiagnosticLog {
    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.codes.contains(&diagnostic.code) {
            self.codes.push(diagnostic.code);
        }
        self.recent.push(diagnostic);
        // They stay as they are if there is no memory to pack them.
        if self.recent.len() >= RECENT
            && let Ok(packed) = self.pack()
        {
            self.packed.push(packed);
            self.recent.clear();
        }
    }

    /// Returns the diagnostics, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, Diagnostic>> {
        let packed = self.packed.iter().flat_map(|packed| self.unpacked(packed));
        packed.map(Cow::Owned).chain(self.recent.iter().map(Cow::Borrowed))
    }

    /// Removes the diagnostics for which `is_kept` returns false.
    pub fn retain(&mut self, is_kept: impl Fn(&Diagnostic) -> bool) {
        let all = mem::take(self);
        self.extend(all.iter().filter(|it| is_kept(it)).map(Cow::into_owned));
    }

    /// Adds the diagnostics of `other`.
    pub(super) fn append(&mut self, other: DiagnosticLog) {
        if other.packed.is_empty() {
            self.extend(other.recent)
        } else {
            self.extend(other.iter().map(Cow::into_owned))
        }
    }

    /// The latest diagnostics, packed.
    fn pack(&self) -> io::Result<Vec<u8>> {
        let packed = self.recent.iter().map(|diagnostic| {
            let Location { path, position, element, attribute, .. } = &diagnostic.location;
            let code = self.codes.iter().position(|it| *it == diagnostic.code).unwrap_or_default();
            let position = position.map(|it| (it.line, it.column));
            let texts = [&**path, element, attribute, &diagnostic.message].map(Cow::Borrowed);
            let more = [&diagnostic.reference, &diagnostic.help];
            let more = more.map(|text| text.as_deref().map(Cow::Borrowed));
            (code, diagnostic.severity, position, texts, more)
        });
        let json = serde_json::to_vec(&packed.collect::<Vec<Packed<'_>>>())?;
        zstd::bulk::compress(&json, 1)
    }

    /// The diagnostics in `packed`, or one that says why they are lost.
    fn unpacked(&self, packed: &[u8]) -> Vec<Diagnostic> {
        self.unpack(packed).unwrap_or_else(|error| {
            let message =
                format!("cannot read {RECENT} or more messages back from memory: {error}");
            vec![Diagnostic::file_error("", message)]
        })
    }

    fn unpack(&self, packed: &[u8]) -> io::Result<Vec<Diagnostic>> {
        let json = zstd::decode_all(packed)?;
        let all: Vec<Packed<'static>> = serde_json::from_slice(&json)?;
        let unpacked = all.into_iter().map(|(code, severity, position, texts, more)| {
            let code = self.codes.get(code).ok_or(io::ErrorKind::InvalidData)?;
            let position = position.map(|(line, column)| Position { line, column });
            let [path, element, attribute, message] = texts;
            let location = Location::new(&*path, position, element, attribute);
            let mut diagnostic = Diagnostic::new(severity, code, location, message);
            [diagnostic.reference, diagnostic.help] = more.map(|text| text.map(Box::from));
            Ok(diagnostic)
        });
        unpacked.collect()
    }
}

impl Extend<Diagnostic> for DiagnosticLog {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: T) {
        diagnostics.into_iter().for_each(|it| self.push(it));
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
            let mut log = DiagnosticLog::default();
            log.extend(all.iter().cloned());
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
    fn diagnostics_that_cannot_be_read_back_are_one_error() {
        let mut log = DiagnosticLog::default();
        log.extend((0..RECENT + 1).map(|_| Diagnostic::skipped("a", "cannot be decoded")));
        log.packed[0].truncate(9);
        let shown: Vec<_> = log.iter().collect();
        assert_eq!(shown.len(), 2);
        assert_eq!(shown[0].severity, Severity::Error);
        assert!(shown[0].message.starts_with("cannot read 256 or more messages"), "{shown:?}");
    }

    #[test]
    fn many_similar_diagnostics_need_little_memory() {
        let mut log = DiagnosticLog::default();
        log.extend((0..20_000).map(|n| {
            Diagnostic::skipped(
                format!("a.warc > http://h.example/page-{n}.html"),
                "cannot be decoded",
            )
        }));
        let bytes: usize = log.packed.iter().map(Vec::len).sum();
        assert!(bytes < 20 * 20_000, "{bytes}");
    }
}
