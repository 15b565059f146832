//! The places that hold references.

use super::random::Random;

/// What a page does with a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It leads somewhere, and a fragment of it is looked for there.
    Link,
    /// The page loads what is there.
    Load,
    /// Anything else.
    Other,
}

/// What may stand in the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Any text.
    Any,
    /// No white space, quotes, backslashes and `&`, and no comma at an end.
    Plain,
}

/// A place: `§` is the reference.
pub struct Carrier {
    pub html: &'static str,
    pub element: &'static str,
    pub attribute: &'static str,
    pub usage: Use,
    pub takes: Takes,
    /// The reference is all of the value.
    pub is_whole_value: bool,
    /// An empty value is no reference to the page itself.
    pub is_wrong_empty: bool,
    /// Its readers want an absolute URL.
    pub wants_absolute: bool,
}

const fn carrier(
    html: &'static str,
    element: &'static str,
    attribute: &'static str,
    usage: Use,
) -> Carrier {
    Carrier {
        html,
        element,
        attribute,
        usage,
        takes: Takes::Any,
        is_whole_value: true,
        is_wrong_empty: !matches!(usage, Use::Link),
        wants_absolute: false,
    }
}

impl Carrier {
    /// The reference is a part of the value, with something after or around it.
    const fn in_part(self) -> Carrier {
        Carrier { is_whole_value: false, is_wrong_empty: false, ..self.plain() }
    }

    const fn plain(self) -> Carrier {
        Carrier { takes: Takes::Plain, ..self }
    }

    /// An empty value is one without quotes, or none at all.
    const fn never_empty(self) -> Carrier {
        Carrier { is_wrong_empty: false, ..self }
    }

    const fn absolute(self) -> Carrier {
        Carrier { wants_absolute: true, ..self }
    }
}

use Use::{Link, Load, Other};

#[rustfmt::skip]
pub const CARRIERS: &[Carrier] = &[
    carrier("<p>A <a href=\"§\">link</a>.</p>", "a", "href", Link),
    carrier("<p>Zwölf\tBoxkämpfer: <a\n   class='x'\n\thref = \"§\" title=\"a > b\">link</a></p>", "a", "href", Link),
    carrier("<P>CAPITALS <A HREF=\"§\">link</A></P>", "a", "href", Link),
    carrier("<p><a href='§'>single quotes</a></p>", "a", "href", Link).plain(),
    carrier("<p><a href=§ >no quotes</a></p>", "a", "href", Link).plain(),
    carrier("<map name=\"m¤\"><area shape=\"default\" href=\"§\" alt=\"\"></map>", "area", "href", Link),
    carrier("<noscript><p><a href=\"§\">without scripts</a></p></noscript>", "a", "href", Link),
    carrier("<template><p><a href=\"§\">for later</a></p></template>", "a", "href", Link),
    carrier("<svg width=\"9\"><a href=\"§\"><text>x</text></a></svg>", "svg:a", "href", Link),
    carrier("<svg width=\"9\"><a xlink:href=\"§\"><text>x</text></a></svg>", "svg:a", "xlink:href", Link),
    carrier("<math><mi href=\"§\">x</mi></math>", "math:mi", "href", Link),
    carrier("<table><tr><td><ul><li><a href=\"§\">deep</a></ul></table>", "a", "href", Link),
    carrier("<iframe srcdoc=\"<p>Hi, <a href=&quot;§&quot;>in a frame</a>\"></iframe>", "iframe srcdoc > a", "href", Link).plain(),
    carrier("<!--[if IE]><p><a href=\"§\">old</a></p><![endif]-->", "conditional comment > a", "href", Link).plain(),

    carrier("<p><img src=\"§\" alt=\"\"></p>", "img", "src", Load),
    carrier("<p><img alt=\"x\" srcset=\"/img/a.png 1x, § 2x,/img/b,c.png 3x\"></p>", "img", "srcset", Load).in_part(),
    carrier("<picture><source srcset=\"§ 640w\" media=\"print\"><img src=\"/img/a.png\" alt=\"\"></picture>", "source", "srcset", Load).in_part(),
    carrier("<p><input type=\"image\" src=\"§\" alt=\"go\"></p>", "input", "src", Load),
    carrier("<video poster=\"§\"></video>", "video", "poster", Load),
    carrier("<video src=\"§\" controls></video>", "video", "src", Load),
    carrier("<audio><source src=\"§\"></audio>", "source", "src", Load),
    carrier("<audio src=\"§\"></audio>", "audio", "src", Load),
    carrier("<video><track src=\"§\"></video>", "track", "src", Load),
    carrier("<table background=\"§\"><tr><td>x</table>", "table", "background", Load),
    carrier("<svg width=\"9\"><image href=\"§\"/></svg>", "svg:image", "href", Load),
    carrier("<svg width=\"9\"><image xlink:href=\"§\"/></svg>", "svg:image", "xlink:href", Load),
    carrier("<link rel=\"icon\" href=\"§\">", "link", "href", Load),
    carrier("<link rel=\"preload stylesheet\" href=\"§\">", "link", "href", Load),
    carrier("<link rel=\"preload\" as=\"image\" imagesrcset=\"/img/a.png 1x, § 2x\">", "link", "imagesrcset", Load).in_part(),
    carrier("<script src=\"§\"></script>", "script", "src", Load),
    carrier("<script type=\"module\" src='§'></script>", "script", "src", Load).plain(),
    carrier("<iframe src=\"§\"></iframe>", "iframe", "src", Load),
    carrier("<embed src=\"§\">", "embed", "src", Load),
    carrier("<object data=\"§\"></object>", "object", "data", Load),
    carrier("<p><a href=\"/all.html\" ping=\"/all.html\t§ https://count.example/\">x</a></p>", "a", "ping", Load).in_part(),
    carrier("<iframe srcdoc='<img src=\"§\" alt=\"\">'></iframe>", "iframe srcdoc > img", "src", Load).plain(),

    carrier("<p style=\"color: red; background: url('§')\">x</p>", "p style > url()", "", Load).in_part(),
    carrier("<p style='background: no-repeat url( § )'>x</p>", "p style > url()", "", Load).in_part(),
    carrier("<style>\n  /* url(no.png) */ b { background: url(\"§\") }\n</style>", "style > url()", "", Load).in_part(),
    carrier("<style>@import \"§\" print;</style>", "style > url()", "", Load).in_part(),
    carrier("<style>i { background: image-set('/img/a.png' 1x, \"§\" 2x) }</style>", "style > url()", "", Load).in_part(),

    carrier("<form action=\"§\"><button>x</button></form>", "form", "action", Other),
    carrier("<form><button formaction=\"§\">x</button></form>", "button", "formaction", Other),
    carrier("<blockquote cite=\"§\">x</blockquote>", "blockquote", "cite", Other),
    carrier("<p><q cite=\"§\">x</q></p>", "q", "cite", Other),
    carrier("<p><ins cite=\"§\">x</ins></p>", "ins", "cite", Other),
    carrier("<p><img src=\"/img/a.png\" alt=\"\" longdesc=\"§\"></p>", "img", "longdesc", Other),
    carrier("<link rel=\"next\" href=\"§\">", "link", "href", Other),
    carrier("<link rel=\"prefetch\" href=\"§\">", "link", "href", Other),
    carrier("<link rel=\"canonical\" href=\"§\">", "link", "href", Other).absolute(),
    carrier("<link rel=\"alternate\" hreflang=\"de\" href=\"§\">", "link", "href", Other).absolute(),
    carrier("<meta property=\"og:image\" content=\"§\">", "meta", "content", Other).absolute(),
    carrier("<meta property=\"og:url\" content=\"§\">", "meta", "content", Other).absolute(),
    carrier("<meta name=\"twitter:image\" content=\"§\">", "meta", "content", Other).absolute(),
    carrier("<meta http-equiv=\"refresh\" content=\"300; url=§\">", "meta", "content", Other).in_part().never_empty(),
];

/// A carrier that `fits`.
pub fn one(random: &mut Random, fits: impl Fn(&Carrier) -> bool) -> &'static Carrier {
    loop {
        let carrier = random.one_of(CARRIERS);
        if fits(carrier) {
            return carrier;
        }
    }
}

/// Whether `reference` can stand there.
pub fn holds(carrier: &Carrier, reference: &str) -> bool {
    carrier.takes == Takes::Any
        || !reference.is_empty()
            && !reference.contains([' ', '\t', '\n', '"', '\'', '\\', '&', '<', '>', '(', ')', '`'])
            && !reference.starts_with(',')
            && !reference.ends_with(',')
}
