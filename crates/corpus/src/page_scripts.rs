//! The traits of the scripts that the pages of a site load. A script is read when the first page loads it, so that a
//! site without scripts costs nothing.

use std::sync::OnceLock;

use crate::Corpus;
use crate::files::with_file_bytes;
use crate::page_script::{PageScript, PageScripts, is_script};
use rehref_document::{ScriptTraits, ScriptsOfPage};
use rehref_rewrite::Policy;
use rehref_site::{SiteUrl, diagnostic::display_path, path_in_url};
use rehref_url::AbsoluteUrl;

impl Corpus {
    fn page_scripts(&self) -> &PageScripts {
        self.page_scripts.get_or_init(|| {
            let scripts = self.files().filter(|path| is_script(path));
            let scripts = scripts.map(|path| {
                (path_in_url(path), PageScript { path: path.to_owned(), traits: OnceLock::new() })
            });
            scripts.collect()
        })
    }

    /// Returns the traits of the scripts of the page `html`, those that it loads from files of the site among them.
    /// `base`: its URL; `policy`: what is done with its links.
    pub(crate) fn script_traits(
        &self,
        html: &[u8],
        base: &AbsoluteUrl,
        policy: &Policy,
    ) -> ScriptTraits {
        let Some(page) = ScriptsOfPage::of(html) else { return ScriptTraits::NONE };
        let mut traits = page.traits;
        if matches!(policy, Policy::Site(_)) && page.may_change_url(html) {
            traits = traits.with(ScriptTraits::CHANGES_URL);
        }
        let loaded = page.sources.iter().filter_map(|source| {
            let scripts = Some(self.page_scripts()).filter(|it| !it.is_empty())?;
            let source = str::from_utf8(source).ok()?;
            let target = base.resolve(source, encoding_rs::UTF_8).ok()?;
            let site_urls = std::iter::once(&self.site_url).chain(&self.also);
            let (_, rest) = SiteUrl::containing(site_urls, target.as_str())?;
            scripts.get(rest.split(['?', '#']).next()?)
        });
        loaded.fold(traits, |traits, script| {
            // The run itself reports a file that cannot be read.
            let read = || {
                let path = self.root.join(&script.path);
                let found = with_file_bytes(&path, |code, _| ScriptTraits::of_script(code));
                found.unwrap_or_default()
            };
            traits.with(*script.traits.get_or_init(read))
        })
    }

    /// Returns true if pages loaded so far the minified copy of the script at `path`, or the script of that copy, and not
    /// the file itself.
    pub(crate) fn loads_twin_of(&self, path: &str) -> bool {
        let twin = match (path.strip_suffix(".min.js"), path.strip_suffix(".js")) {
            (Some(name), _) => format!("{name}.js"),
            (None, Some(name)) => format!("{name}.min.js"),
            (None, None) => return false,
        };
        let scripts = self.page_scripts.get();
        let script = |path: &str| scripts.and_then(|it| it.get(path));
        let is_loaded = |path: &str| script(path).is_some_and(|it| it.traits.get().is_some());
        is_loaded(&twin) && !is_loaded(path)
    }

    /// Returns the scripts with these traits that pages loaded so far, in order.
    pub(crate) fn scripts_with(&self, traits: ScriptTraits) -> Vec<String> {
        let scripts = self.page_scripts.get().into_iter().flat_map(|it| it.values());
        let has = |it: &&PageScript| it.traits.get().is_some_and(|found| found.has(traits));
        let mut paths: Vec<String> =
            scripts.filter(has).map(|script| display_path(&script.path)).collect();
        paths.sort_unstable();
        paths
    }
}
