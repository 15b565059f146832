//! Names that a mirroring tool decoded in part: `css?family=M%3A400,700` for `/css?family=M%3A400%2C700`.

use rustc_hash::FxHashMap;

use rehref_url::percent_decoded;

/// The files with percent-encoding in their names, by these names decoded. Most trees have none.
#[derive(Clone, Debug, Default)]
pub(super) struct DecodedNames(FxHashMap<Box<[u8]>, Box<str>>);

impl DecodedNames {
    /// Adds the file at `path`, percent-encoded as in URLs, if its name has percent-encoding itself. Among files with
    /// the same decoded name, the first by its path counts, in whatever order they are added.
    pub(super) fn add(&mut self, path: &str) {
        if !path.contains("%25") {
            return;
        }
        let name = percent_decoded(path);
        let file =
            self.0.entry(decoded(&String::from_utf8_lossy(&name))).or_insert_with(|| path.into());
        if path < &**file {
            *file = path.into();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the path of the file whose decoded name is that of `path`, which is percent-encoded in any way.
    pub(super) fn find(&self, path: &str) -> Option<&str> {
        if self.is_empty() {
            return None;
        }
        self.0.get(&decoded(path)).map(|file| &**file)
    }
}

/// `text` decoded, except for slashes, which no name can have.
fn decoded(text: &str) -> Box<[u8]> {
    percent_decoded(&text.replace("%2F", "%252F").replace("%2f", "%252F")).into()
}
