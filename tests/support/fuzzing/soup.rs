//! Tag soup: pieces of HTML, put together, that make tree construction do everything it can.

use super::mutation::Random;

/// Pieces that stand alone.
#[rustfmt::skip]
pub const PIECES: &[&str] = &[
    // Structure
    "<html>", "<html manifest=m>", "</html>", "<head>", "<head profile=p>", "</head>", "<body>",
    "<body background=b>", "</body>", "<!doctype html>", "<!DOCTYPE", "<frameset>", "<frame src=f>",
    // The head
    "<base href=/1/>", "<base href=/2/>", "<base target=t>", "<base href>", "<base href=''>",
    "<link rel=stylesheet href=l>", "<link rel='alternate' hreflang=de href=a>", "<basefont>",
    "<meta charset=utf-8>", "<meta charset=koi8-r>", "<meta name=generator content=G>",
    "<meta name=generator content='a&amp;b'>", "<meta http-equiv=Refresh content='0;url=r'>",
    "<meta property='og:image' content=i>", "<meta name=description content=d>",
    "<meta http-equiv=content-type content='text/html; charset=euc-jp'>",
    "<title>", "</title>", "<title>a</title>", "<noscript>", "</noscript>", "<template>",
    "</template>", "<template id=t>",
    // Text that is not markup
    "<script src=s>", "<script>", "</script>", "<script type=importmap>", "<!--<script>", "-->",
    "<style>", "</style>", "<style type=x>", "<style>a{}</style>", "<textarea>", "</textarea>",
    "<xmp>", "</xmp>", "<iframe src=i srcdoc=d>", "</iframe>", "<noembed>", "</noembed>",
    "<noframes>", "</noframes>", "<plaintext>", "</STYLE \n x='>'>", "</script/>",
    // Tables
    "<table background=t>", "<table>", "</table>", "<caption>", "</caption>", "<colgroup>",
    "</colgroup>", "<col style=c>", "<tbody>", "</tbody>", "<thead background=h>", "</thead>",
    "<tfoot>", "<tr>", "<tr background=r>", "</tr>", "<td background=d>", "<td>", "</td>",
    "<th id=h>", "</th>",
    // Forms
    "<form action=f>", "<form>", "</form>", "<select>", "<select id=s>", "</select>",
    "<option id=o>", "</option>", "<optgroup>", "<input src=i>", "<input type=hidden src=h>",
    "<button formaction=b>", "</button>", "<isindex action=x>", "<keygen>",
    // Blocks and phrases
    "<p>", "<p id=p>", "</p>", "<div style='a'>", "<div>", "</div>", "<li id=l>", "</li>", "<ul>",
    "</ul>", "<dd>", "<dt>", "<dl>", "<h1 id=h>", "</h1>", "<h2>", "<hr>", "<pre>", "<br>", "</br>",
    "<a href=a>", "<a name=n>", "<a href=b name=m id=a>", "</a>", "<b>", "<b id=b>", "</b>", "<i>",
    "</i>", "<nobr>", "</nobr>", "<font>", "<font color=c>", "</font>", "<span itemid=s>", "<span>",
    "</span>", "<ruby>", "<rt>", "<rb>", "</ruby>", "<q cite=q>", "<blockquote cite=q>",
    "<object data=d codebase=c classid=k>", "</object>", "<applet code=c archive='a,b'>",
    "</applet>", "<marquee>", "<param valuetype=ref value=v>", "<param value=v>", "<details>",
    // Without content
    "<img src=i srcset='a 1x, b 2x'>", "<image src=i>", "<img src=i usemap=#m longdesc=l>", "<area href=a>",
    "<embed src=e>", "<source src=s>", "<wbr>", "<bgsound src=b>", "<video poster=p src=v>",
    // SVG and MathML
    "<svg>", "<svg/>", "<svg id=v style=s>", "</svg>", "<g fill=f>", "</g>", "<path d=p filter=f />",
    "<use xlink:href=#u>", "<use href=u />", "<lineargradient href=l>", "<foreignObject>",
    "</foreignObject>", "<desc>", "</desc>", "<svg title='x'>", "<svg><title>", "<animateMotion href=m/>",
    "<math>", "<math altimg=a href=h>", "</math>", "<mi>", "</mi>", "<mglyph src=g>", "<mtext>",
    "</mtext>", "<annotation-xml encoding='text/html'>", "</annotation-xml>", "<malignmark>",
    "<a xlink:href=x>", "<script xlink:href=s>", "<![CDATA[", "]]>", "<![CDATA[<a href=x>]]>",
    // Comments and what looks like markup
    "<!--c-->", "<!-->", "<!--->", "<!--", "--!>", "<!--<!--->", "<!x>", "<?pi?>", "</ x>", "</>",
    "<!", "<", "</", "<1>", "< a>", "&lt;a>", "<!-- rehref-ignore -->", "<!rehref-ignore>",
    // Odd attributes and names
    "<a href=1 HREF=2>", "<A/HREF=x>", "<a href = 'x' >", "<a href=\"x\"id=y>", "<a href>",
    "<a\thref=x\r\nid=\"y\r\">", "<a href=x/>", "<a =href=x>", "<a href=\"&amp;&notit;&#10;\">",
    "<div id=''>", "<div id=\0>", "<p\0 style=s>", "<x-é style=s>", "<é>", "<div \0style=s style=t>",
    "<a href=\"\0\">", "<x style=s>", "<X-Y itemid=i>", "<p about=a resource=r>", "<a href",
    "<a href=\"", "<a ", "<a b='<a href=x>'>", "<div data-rehref-ignore>", "<x data-rehref-ignore=y id=z>",
    // Text
    " ", "\n", "x", "\0", "&#32;", "&Tab;", "&amp;", "\r\n", "é", "\u{FEFF}", "\x0C", ">", "=", "'",
    "\"", "-",
];

/// Up to so many pieces from a part of the list of its own, so that they get to know each other.
pub fn soup(random: &mut Random, most: usize) -> Vec<u8> {
    let words = 2 + random.below(24);
    let words: Vec<&str> = (0..words).map(|_| PIECES[random.below(PIECES.len())]).collect();
    let start = ["", "", "<!doctype html>", "<body>", "<table>", "<svg>", "<template>", "<head>"];
    let mut html = start[random.below(start.len())].as_bytes().to_vec();
    for _ in 0..1 + random.below(most) {
        html.extend_from_slice(words[random.below(words.len())].as_bytes());
    }
    html
}

/// A document with some of its tags doubled, removed, or exchanged for a piece, or cut.
pub fn mutated(random: &mut Random, document: &[u8]) -> Vec<u8> {
    let mut html = document.to_vec();
    for _ in 0..1 + random.below(8) {
        let tags: Vec<usize> = memchr::memchr_iter(b'<', &html).collect();
        let Some(&start) = tags.get(random.below(tags.len())) else { break };
        let end = memchr::memchr(b'>', &html[start..]).map_or(html.len(), |at| start + at + 1);
        match random.below(7) {
            0 => drop(html.drain(start..end)),
            1 => {
                let tag = html[start..end].to_vec();
                html.splice(end..end, tag);
            }
            2 => {
                let piece = PIECES[random.below(PIECES.len())];
                html.splice(start..end, piece.bytes());
            }
            3 => {
                let piece = PIECES[random.below(PIECES.len())];
                html.splice(end..end, piece.bytes());
            }
            4 => {
                let to = tags[random.below(tags.len())];
                let tag = html[start..end].to_vec();
                html.splice(to..to, tag);
            }
            5 => {
                let at = start + random.below(end - start);
                let bytes = b"<>\"'=/ \0!-&a\r\n";
                html[at] = bytes[random.below(bytes.len())];
            }
            _ if random.below(4) == 0 => html.truncate(start + random.below(end - start)),
            _ => drop(html.remove(start + random.below(end - start))),
        }
    }
    html
}
