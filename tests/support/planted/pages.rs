//! The ordinary pages of the site.

use super::carriers::{self, CARRIERS, Carrier};
use super::defects::{self, Base, DEFECTS, Defect, Spot};
use super::layout::{IDS, Layout, relative};
use super::random::Random;
use super::whole::{self, whole};
use super::writer::{Writer, escape};

/// What has to be planted somewhere, whatever else is.
#[derive(Clone, Copy)]
enum Must {
    Defect(&'static Defect),
    Carrier(&'static Carrier),
    Scene(&'static str),
}

/// Writes page after page.
pub struct Pages<'l> {
    layout: &'l Layout,
    random: Random,
    /// Some for each page, so that all come.
    musts: Vec<Must>,
    count: usize,
}

impl<'l> Pages<'l> {
    pub fn new(layout: &'l Layout, random: Random) -> Pages<'l> {
        // Most defects are several, of which one is chosen each time.
        let defects = std::iter::repeat_n(DEFECTS, 3).flatten().map(Must::Defect);
        let carriers = CARRIERS.iter().map(Must::Carrier);
        let scenes = defects::SCENES.iter().map(|scene| Must::Scene(scene));
        Pages { layout, random, musts: defects.chain(carriers).chain(scenes).collect(), count: 0 }
    }

    /// Whether all that must be planted is.
    pub fn is_complete(&self) -> bool {
        self.musts.is_empty()
    }

    /// The page at `path`, which refers to the files at `links` besides.
    pub fn page(&mut self, path: &str, links: &[String]) -> Writer {
        self.count += 1;
        let newline = if self.random.once_in(5) { "\r\n" } else { "\n" };
        let mut writer = Writer::new(path, newline);
        let (kind, own) = if self.count % 9 == 5 && links.is_empty() {
            self.base()
        } else {
            (Base::Own, path.to_owned())
        };
        let base = (kind != Base::Own).then_some(own.as_str());
        self.head(&mut writer, base, &own);
        for link in links {
            let reference = relative(&own, link);
            writer.piece(&format!("<li><a href=\"{reference}\">{link}</a>\n"));
        }
        for at in 0..8 {
            self.good(&mut writer, &own, kind);
            match at {
                1 | 4 => self.must(&mut writer, &own, kind),
                2 if self.random.once_in(3) => self.ignored(&mut writer, &own, kind),
                3 | 6 if self.random.once_in(4) => self.bad(&mut writer, &own, kind),
                5 if kind == Base::There && self.random.once_in(2) => {
                    writer.piece(self.random.word(defects::BASE_SCENES));
                }
                _ => {}
            }
            writer.piece("\n");
        }
        writer
    }

    /// The path of a base URL.
    fn base(&mut self) -> (Base, String) {
        let folder = self.random.one_of(&self.layout.folders);
        let name = self.random.word(&["", "index.html", "x/y/", "no-such.html?q"]);
        let is_there = folder.has_index && ["", "index.html"].contains(&name);
        let kind = if is_there { Base::There } else { Base::Nowhere };
        (kind, format!("{}{name}", folder.path))
    }

    fn head(&mut self, writer: &mut Writer, base: Option<&str>, own: &str) {
        let is_full = !self.random.once_in(6);
        if is_full {
            if self.random.once_in(8) {
                writer.piece("\u{FEFF}");
            }
            writer.piece("<!DOCTYPE html>\n<html lang=\"de\">\n<head>\n");
        }
        writer.piece("<meta charset=\"utf-8\">\n");
        if let Some(base) = base {
            writer.piece(&format!("<base href=\"https://example.org/{base}\">\n"));
        }
        let sheet = relative(own, "css/main.css");
        writer.piece(&format!(
            "<title>Seite Nº {} &lt; x</title>\n<link rel=\"stylesheet\" href=\"{sheet}\">\n",
            self.count
        ));
        if is_full {
            writer.piece("</head>\n<body>\n");
        }
        writer.piece("<a name=\"named\"></a>\n");
        for id in IDS {
            writer.piece(&format!("<h2 id=\"{id}\">{id}</h2>\n"));
        }
    }

    fn good(&mut self, writer: &mut Writer, own: &str, base: Base) {
        if base == Base::Own && self.random.once_in(3) {
            return writer.piece(self.random.word(whole::SCENES));
        }
        let reference = whole(self.layout, own, &mut self.random);
        let carrier = carriers::one(&mut self.random, |it| carriers::holds(it, &reference));
        writer.piece(&carrier.html.replace('§', &escape(&reference)));
    }

    fn must(&mut self, writer: &mut Writer, own: &str, base: Base) {
        match self.musts.last().copied() {
            Some(Must::Scene(_)) if base != Base::Own => return,
            Some(Must::Scene(scene)) => writer.piece(scene),
            Some(Must::Carrier(carrier)) => {
                let reference = format!("/missing/{}.png", self.count);
                plant(writer, "broken-target", carrier, &reference);
            }
            Some(Must::Defect(defect)) => self.defect(writer, defect, own, base),
            None => {}
        }
        self.musts.pop();
    }

    fn bad(&mut self, writer: &mut Writer, own: &str, base: Base) {
        if base == Base::Own && self.random.once_in(5) {
            return writer.piece(self.random.word(defects::SCENES));
        }
        let defect = self.random.one_of(DEFECTS);
        self.defect(writer, defect, own, base);
    }

    fn ignored(&mut self, writer: &mut Writer, own: &str, base: Base) {
        let defect = self.random.one_of(DEFECTS);
        let list = defect.checks.replace('+', ", ");
        let (before, after) = match self.random.below(4) {
            0 => ("<div data-rehref-ignore><section>".to_owned(), "</section></div>"),
            1 => (format!("<div data-rehref-ignore=\"x {list}\">"), "</div>"),
            2 => ("<!-- rehref-ignore --><div>".to_owned(), "</div>"),
            _ => (format!("<!-- rehref-ignore {list} -->\n<div>"), "</div>"),
        };
        writer.piece(&before);
        writer.is_muted = true;
        self.defect(writer, defect, own, base);
        writer.is_muted = false;
        writer.piece(after);
    }

    fn defect(&mut self, writer: &mut Writer, defect: &Defect, own: &str, base: Base) {
        let reference = (defect.reference)(&mut Spot {
            layout: self.layout,
            path: own,
            base,
            random: &mut self.random,
        });
        let carrier = carriers::one(&mut self.random, |it| {
            (defect.fits)(it)
                && (carriers::holds(it, &reference) || reference.is_empty() && it.is_wrong_empty)
        });
        plant(writer, defect.checks, carrier, &reference);
    }
}

fn plant(writer: &mut Writer, checks: &str, carrier: &Carrier, reference: &str) {
    let (element, attribute) = (carrier.element, carrier.attribute);
    let raw = escape(reference);
    let mark = format!("⟦{checks};{element};{attribute}|{raw}⟧");
    writer.piece(&carrier.html.replace('§', &mark));
}
