//! Finds the page that has the text of a page that is gone. Navigation, footers and other text of many pages say nothing;
//! what a page alone has, or few pages have, tells where it went.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::published::is_of_server;
use crate::site_index::SiteIndex;
use rehref_corpus::SourceDocument;
use rehref_document::{SCRIPTS, STYLES, inline_code};
use rehref_url::Span;

/// A hash of a piece of text.
pub type Piece = u64;

/// The most pages that may have a piece of text that tells where a page went.
const MOST_PAGES: u32 = 3;

/// The fewest bytes of a piece of text: a single word tells nothing.
const SHORTEST: usize = 16;

/// The fewest pieces that make a successor sure.
const SURE_PIECES: usize = 3;

/// Finds for each lost page the page of the new site that has its text.
#[derive(Debug, Default)]
pub struct Successors {
    /// The pieces of each page that is gone, by its name.
    gone: Vec<(String, Box<[Piece]>)>,
    pieces: FxHashMap<Piece, PieceCount>,
    /// The URLs of the new pages.
    pages: Vec<String>,
    /// The new pages by all of their text; `None` for several with the same.
    whole: FxHashMap<u64, Option<u32>>,
    /// The number of old pages by all of their text.
    same: FxHashMap<u64, u32>,
}

/// The pages that have a piece of text.
#[derive(Clone, Copy, Debug, Default)]
struct PieceCount {
    /// The number of old pages.
    old: u32,
    /// The number of old pages that are gone.
    gone: u32,
    /// The number of new pages.
    new: u32,
    /// The first new pages, as many as `new` says.
    first: [u32; MOST_PAGES as usize],
}

/// The page of the new site that has most of the text of a lost page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The URL of the page, as [`Successors::add_new`] received it.
    pub url: String,
    /// True if the page has nearly all of the text, and no other page has much of it.
    pub is_sure: bool,
}

impl Successors {
    /// Adds a page that the new site lacks, with the pieces of its text.
    pub fn add_gone(&mut self, name: String, pieces: Vec<Piece>) {
        for piece in &pieces {
            self.pieces.entry(*piece).or_default().gone += 1;
        }
        self.gone.push((name, pieces.into()));
    }

    /// Adds the pieces of any old page, so that text that many old pages share is ignored.
    pub fn add_old(&mut self, pieces: &[Piece]) {
        *self.same.entry(whole(pieces)).or_default() += 1;
        for piece in pieces {
            if let Some(count) = self.pieces.get_mut(piece) {
                count.old += 1;
            }
        }
    }

    /// Adds the new page at `url`, with the pieces of its text.
    pub fn add_new(&mut self, url: &str, pieces: &[Piece]) {
        let number = u32::try_from(self.pages.len()).unwrap_or(u32::MAX);
        let mut is_known = false;
        for piece in pieces {
            if let Some(count) = self.pieces.get_mut(piece) {
                is_known = true;
                if let Some(place) = count.first.get_mut(count.new as usize) {
                    *place = number;
                }
                count.new = count.new.saturating_add(1);
            }
        }
        if is_known {
            let page = self.whole.entry(whole(pieces)).or_insert(Some(number));
            *page = page.filter(|it| *it == number);
            self.pages.push(url.to_owned());
        }
    }

    /// Returns the lost pages whose text is at least half in one new page: the name of the lost page, and the
    /// new page.
    pub fn find(&self) -> impl Iterator<Item = (&str, Successor)> {
        let mut wholes: FxHashMap<u64, usize> = FxHashMap::default();
        for (_, pieces) in &self.gone {
            *wholes.entry(whole(pieces)).or_default() += 1;
        }
        self.gone.iter().filter_map(move |(name, pieces)| {
            let is_alone = wholes.get(&whole(pieces)) == Some(&1);
            Some((&**name, self.of_pieces(pieces, is_alone)?))
        })
    }

    /// `is_alone`: no other page that is gone has the same text.
    fn of_pieces(&self, pieces: &[Piece], is_alone: bool) -> Option<Successor> {
        let (mut all, mut all_own) = (0, 0);
        let mut shared: FxHashMap<u32, Shared> = FxHashMap::default();
        let same = self.same.get(&whole(pieces)).copied().unwrap_or_default();
        for piece in pieces {
            let Some(count) = self.pieces.get(piece) else { continue };
            if count.old > MOST_PAGES || count.new > MOST_PAGES {
                continue;
            }
            let is_own = count.old <= 1;
            all += 1;
            all_own += usize::from(is_own);
            for page in count.first.iter().take(count.new as usize) {
                let shared = shared.entry(*page).or_default();
                shared.own += usize::from(is_own);
                shared.all += 1;
                shared.is_gone |= count.old <= count.gone;
                shared.is_own |= count.gone <= 1
                    && (count.new > count.old.saturating_sub(count.gone) || count.old <= same);
            }
        }
        let whole = self.whole.get(&whole(pieces)).copied().flatten().filter(|_| is_alone);
        let best = shared.iter().max_by_key(|(page, count)| {
            (whole == Some(**page), **count, std::cmp::Reverse(**page))
        })?;
        let (page, count) = (*best.0, *best.1);
        let others = shared.iter().filter(|(it, _)| **it != page).map(|(_, count)| count.own);
        let second = others.max().unwrap_or(0);
        // However short the text is.
        let is_whole = count.is_own && whole == Some(page);
        if !is_whole && (count.all * 2 < all || !count.is_gone) {
            return None;
        }
        Some(Successor {
            url: self.pages.get(page as usize)?.clone(),
            is_sure: is_whole
                || count.own >= SURE_PIECES
                    && count.own * 5 >= all_own * 4
                    && second * 2 <= count.own,
        })
    }
}

/// The pieces that a lost page and a new page share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Shared {
    /// The number of pieces that no other old page has: others may be the navigation of a few pages.
    own: usize,
    all: usize,
    /// True if one of them is on no old page that is still there.
    is_gone: bool,
    /// True if one of them went with the lost page, or is only on pages with the same text.
    is_own: bool,
}

/// A hash of all pieces of a page, in any order.
fn whole(pieces: &[Piece]) -> u64 {
    pieces.iter().fold(0, |sum: u64, it| sum.wrapping_add(it.wrapping_mul(*it | 1)))
}

/// The text of a page, split into pieces, to find the page again in another tree.
#[derive(Debug)]
pub struct PageText {
    /// The name of the document in reports.
    pub name: String,
    /// The URL of the page.
    pub url: String,
    /// The pieces of the text of the page, each once.
    pub pieces: Vec<Piece>,
    /// True if visitors find the page at the URL: no rule answers in its place, and it is not for the server.
    pub is_sent: bool,
}

impl PageText {
    /// Returns the text of the document `source` of `site`.
    pub fn of(site: &SiteIndex, source: &SourceDocument<'_>) -> PageText {
        let files = &site.of_document(source.index_key).files;
        let made = files.url_of_page(source.index_key);
        let made = made.and_then(|path| site.site_url.url_below(&path).ok());
        let own = || source.page.unwrap_or(source.retrieval_url).as_str().to_owned();
        let url = made.map_or_else(own, |it| it.to_string());
        let path = site.site_url.below(&url).unwrap_or_default();
        let is_sent = files.reads_sources()
            || files.sends(source.index_key, path) && !is_of_server(path) && path != "404.html";
        PageText { name: source.name.to_owned(), url, pieces: pieces(source), is_sent }
    }
}

/// The pieces of the text of the document `source`, each once: what stands between two tags, or a line of other text.
fn pieces(source: &SourceDocument<'_>) -> Vec<Piece> {
    let bytes = source.bytes;
    let mut found = FxHashSet::default();
    if source.options.kind.is_page() {
        let code = inline_code(bytes, SCRIPTS).chain(inline_code(bytes, STYLES));
        let mut code: Vec<Span> = code.map(|it| it.content).collect();
        code.sort_by_key(|it| it.start);
        let mut code = code.into_iter().peekable();
        let mut at = 0;
        for part in bytes.split(|b| *b == b'<') {
            let start = at;
            at += part.len() + 1;
            while code.peek().is_some_and(|it| it.end < start) {
                code.next();
            }
            let is_code = code.peek().is_some_and(|it| it.start <= start && start < it.end);
            let text = part.iter().position(|b| *b == b'>').and_then(|end| part.get(end + 1..));
            // The code of a script begins after the end of its tag.
            let is_start = code.peek().is_some_and(|it| (start..at).contains(&it.start));
            if let Some(text) = text.filter(|_| !is_code && !is_start) {
                add_piece(text, &mut found);
            }
        }
    } else {
        bytes.split(|b| *b == b'\n').for_each(|line| add_piece(line, &mut found));
    }
    found.into_iter().collect()
}

/// Adds the hash of `text` without its white space, if it is long enough.
fn add_piece(text: &[u8], found: &mut FxHashSet<Piece>) {
    let text: Vec<u8> = text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
    if text.len() >= SHORTEST {
        found.insert(FxBuildHasher.hash_one(&text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_that_few_pages_have_tells_where_a_page_went() {
        let mut successors = Successors::default();
        let navigation = [100, 101, 102, 103, 104];
        let page = |own: &[Piece]| [&navigation[..], own].concat();
        successors.add_gone("a".to_owned(), page(&[1, 2, 3, 4, 5]));
        successors.add_gone("b".to_owned(), page(&[11, 12, 13, 14]));
        successors.add_gone("c".to_owned(), page(&[21, 22, 23]));
        successors.add_gone("d".to_owned(), page(&[]));
        for own in [&[1, 2, 3, 4, 5][..], &[11, 12, 13, 14], &[21, 22, 23], &[]] {
            successors.add_old(&page(own));
        }
        successors.add_new("/x", &page(&[9]));
        successors.add_new("/a", &page(&[1, 2, 3, 4, 6]));
        successors.add_new("/b", &page(&[11, 12]));
        successors.add_new("/y", &page(&[21]));
        let found: Vec<_> = successors.find().collect();
        let successor = |url: &str, is_sure| Successor { url: url.to_owned(), is_sure };
        assert_eq!(found, [("a", successor("/a", true)), ("b", successor("/b", false))]);
    }

    #[test]
    fn the_navigation_of_few_pages_tells_nothing() {
        let mut successors = Successors::default();
        let page = |own: &[Piece]| [&[100, 101, 102, 103, 104, 105][..], own].concat();
        successors.add_gone("a".to_owned(), page(&[1]));
        successors.add_gone("b".to_owned(), page(&[]));
        [&[1][..], &[], &[9]].iter().for_each(|own| successors.add_old(&page(own)));
        successors.add_new("/", &page(&[9]));
        successors.add_new("/new", &page(&[]));
        assert_eq!(successors.find().collect::<Vec<_>>(), []);
    }
}
