use encoding_rs::{SHIFT_JIS, UTF_8, WINDOWS_1252};
use proptest::prelude::*;

use super::*;
use crate::html::raw::Wanted;
use crate::html::{Namespace, ValueBase, ValueKind};

/// Every value as `element@attribute=text`, followed by its special properties.
fn values(source: &[u8]) -> Vec<String> {
    values_in(source, UTF_8)
}

fn values_in(source: &[u8], encoding: &'static encoding_rs::Encoding) -> Vec<String> {
    let findings = find(source, 0, Wanted::VALUES).unwrap();
    let describe = |value: &XmlValue| {
        let raw = &source[value.span.start..value.span.end];
        let text = match decode(raw, value.place, encoding, &findings.entities) {
            Ok(text) => text.as_str().to_owned(),
            Err(error) => error.to_string(),
        };
        let attribute = value.attribute.as_deref();
        let kind = match value.rules.kind {
            ValueKind::Url => String::new(),
            kind => format!(" {kind:?}"),
        };
        let place = match value.place {
            XmlPlace::Attribute(_) | XmlPlace::Text => String::new(),
            place => format!(" {place:?}"),
        };
        let base = value.base.map_or(String::new(), |base| format!(" base {base}"));
        let separator = if attribute.is_some() { "@" } else { "" };
        format!(
            "{}{separator}{}={text}{kind}{place}{base}",
            value.element,
            attribute.unwrap_or_default()
        )
    };
    findings.values.iter().map(describe).collect()
}

#[test]
fn values_are_found() {
    for (source, expected) in [
        ("<a/>", &[][..]),
        // SVG
        (
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'
                style='a' id='n'><a href='1' x:href='2'/><use x:href='#3'/><rect href='no'
                fill='url(#4)' marker-mid='m'/><script href='5'/><style>6 &lt; 7</style>
                <style type='text/less'>no</style><style type='text/css'><![CDATA[ 8 ]]></style>
                <style>/*<![CDATA[*/ 9 /*]]>*/</style></svg>",
            &[
                "svg:svg@style=a Css",
                "svg:a@href=1",
                "svg:a@x:href=2",
                "svg:use@x:href=#3",
                "svg:rect@fill=url(#4) Css",
                "svg:rect@marker-mid=m Css",
                "svg:script@href=5",
                "svg:style=6 < 7 Css",
                "svg:style=8 Css CData",
                "svg:style=/**/ 9 /**/ Css Mixed",
            ],
        ),
        (
            "<!DOCTYPE svg [<!ENTITY s 'http://www.w3.org/2000/svg'>]>
                <s:svg xmlns:s='&s;'><s:a href='1' s:href='no'/></s:svg>",
            &["svg:a@href=1"],
        ),
        (
            "<!DOCTYPE svg [<!ENTITY s 'fill:red'><!ENTITY u 'fill:url(x)'>]>
                <svg><a style='&s;'/><a style='&u;'/><a style='&v;'/><a style='a&amp;'/></svg>",
            &[
                "svg:a@style=fill:red Css",
                "svg:a@style=fill:url(x) Css",
                "svg:a@style=unknown entity &v; Css",
                "svg:a@style=a& Css",
            ],
        ),
        ("<svg><a href='1'/></svg>", &["svg:a@href=1"]),
        // XHTML, and others in it
        (
            "<html xmlns='http://www.w3.org/1999/xhtml'><head><base href='b/'/><base href='c/'/>
                <meta http-equiv='refresh' content='0;url=r'/><style>s</style></head>
                <body style='t'><A HREF='no'/><a href='1' ping='2 3'/><img srcset='4 1x'/>
                <object codebase='o' classid='5'/><iframe srcdoc='&lt;p>'/>
                <math xmlns='http://www.w3.org/1998/Math/MathML' href='6'/>
                <svg xmlns='http://www.w3.org/2000/svg'><a href='7'/></svg></body></html>",
            &[
                "base@href=b/",
                "base@href=c/",
                "meta@content=0;url=r Refresh",
                "style=s Css",
                "body@style=t Css",
                "a@href=1",
                "a@ping=2 3 SpaceSeparated",
                "img@srcset=4 1x Srcset",
                "object@codebase=o",
                "object@classid=5",
                "iframe@srcdoc=<p> Html",
                "math:math@href=6",
                "svg:a@href=7",
            ],
        ),
        ("<html><a href='1'/></html>", &["a@href=1"]),
        ("<root><a href='no'/></root>", &[]),
        // Feeds
        (
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://h/'><id>no</id>
                <link href='1'/><icon> 2 </icon><generator uri='3'/><author><uri>4</uri></author>
                <entry xml:base='e/'><link href='5'/><content src='6'/>
                <summary type='html'>&lt;a href='7'></summary><content type='text'>no</content>
                <content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><a href='8'/>
                </div></content><category scheme='no'/></entry><logo>9</logo></feed>",
            &[
                "atom:feed@xml:base=http://h/",
                "atom:link@href=1 base 0",
                "atom:icon=2 base 0",
                "atom:generator@uri=3 base 0",
                "atom:uri=4 base 0",
                "atom:entry@xml:base=e/ base 0",
                "atom:link@href=5 base 1",
                "atom:content@src=6 base 1",
                "atom:summary=<a href='7'> HtmlFragment base 1",
                "a@href=8 base 1",
                "atom:logo=9 base 0",
            ],
        ),
        (
            "<rss xmlns:a='http://www.w3.org/2005/Atom' xmlns:m='http://search.yahoo.com/mrss/'
                xmlns:c='http://purl.org/rss/1.0/modules/content/'><channel><link>
                1</link><a:link href='2'/><link/><image><url>3</url></image><url>no</url>
                <item><guid isPermaLink='true'>4</guid><guid>no</guid><enclosure url='5'/>
                <m:content url='6'/><description><![CDATA[<p>7]]></description>
                <c:encoded> <![CDATA[ 8 ]]> </c:encoded><comments>9<!-- --></comments>
                <description><p>no</p></description></item></channel></rss>",
            &[
                "link=1",
                "atom:link@href=2",
                "url=3",
                "guid=4",
                "enclosure@url=5",
                "media:content@url=6",
                "description=<p>7 HtmlFragment CData base 0",
                "content:encoded=8 HtmlFragment CData base 0",
                "comments=9",
            ],
        ),
        (
            "<rss><channel><description>1</description><item><description>2</description>
                <guid isPermaLink='true'>3</guid><link>4</link></item><item><link>5</link>
                <description xml:base='6'>7</description><body xmlns='http://www.w3.org/1999/xhtml'>
                <a href='8'/></body><enclosure url='9'/></item></channel></rss>",
            &[
                "description=1 HtmlFragment",
                "description=2 HtmlFragment base 0",
                "guid=3",
                "link=4",
                "link=5",
                "description@xml:base=6",
                "description=7 HtmlFragment base 1",
                "a@href=8 base 2",
                "enclosure@url=9",
            ],
        ),
        (
            "<rss xmlns:g='http://www.google.com/schemas/play-podcasts/1.0'
                xmlns:p='https://podcastindex.org/namespace/1.0'><channel><g:image href='1'/><item>
                <p:transcript url='2'/><p:person href='3' img='4'>A</p:person><p:images srcset='5 1x'/>
                <p:alternateEnclosure type='x'><p:source uri='6'/></p:alternateEnclosure>
                <p:socialInteract uri='7' protocol='x'/></item></channel></rss>",
            &[
                "googleplay:image@href=1",
                "podcast:transcript@url=2",
                "podcast:person@href=3",
                "podcast:person@img=4",
                "podcast:images@srcset=5 1x Srcset",
                "podcast:source@uri=6",
                "podcast:socialInteract@uri=7",
            ],
        ),
        (
            "<rss><channel><item><body><p><a href='1'/></p></body></item><item><body>&lt;p>2
                </body></item></channel></rss>",
            &["a@href=1", "body=<p>2 HtmlFragment"],
        ),
        (
            "<feed xmlns='http://purl.org/atom/ns#'><content type='text/html' mode='base64'>PHA+
                </content><content type='text/html' mode='escaped'>&lt;p></content></feed>",
            &["atom:content=PHA+ Base64Html", "atom:content=<p> HtmlFragment"],
        ),
        (
            "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'
                xmlns='http://purl.org/rss/1.0/'><channel r:about='no'><link>1</link></channel>
                </r:RDF>",
            &["link=1"],
        ),
        // Books
        (
            "<smil xmlns='http://www.w3.org/ns/SMIL' xmlns:e='http://www.idpf.org/2007/ops'><body e:textref='1'>
                <seq e:textref='2#a' e:type='no'><par><text src='3#b'/><audio src='4' clipBegin='0s'/></par>
                </seq></body></smil>",
            &["smil:body@e:textref=1", "smil:seq@e:textref=2#a", "smil:text@src=3#b", "smil:audio@src=4"],
        ),
        (
            "<encryption xmlns='urn:oasis:names:tc:opendocument:xmlns:container'
                xmlns:x='http://www.w3.org/2001/04/xmlenc#'><x:EncryptedData><x:CipherData>
                <x:CipherReference URI='EPUB/f.otf'/></x:CipherData></x:EncryptedData></encryption>",
            &["enc:CipherReference@URI=EPUB/f.otf"],
        ),
        // Others
        (
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'
                xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'
                xmlns:h='http://www.w3.org/1999/xhtml'><url><loc>&#x31;</loc><i:image><i:loc>2
                </i:loc></i:image><h:link href='3'/></url></urlset>",
            &["sitemap:loc=1", "image:loc=2", "link@href=3"],
        ),
        (
            "<OpenSearchDescription xmlns='http://a9.com/-/spec/opensearch/1.1/'>
                <Url template='http://h/{searchTerms}'/><Url template='1'/><Image>2</Image>
                </OpenSearchDescription>",
            &["os:Url@template=http://h/{searchTerms}", "os:Url@template=1", "os:Image=2"],
        ),
        (
            "<?xml version='1.0' encoding='utf-8'?><?xml-stylesheet type='text/xsl' href='1'?>
                <d xmlns:xi='http://www.w3.org/2001/XInclude' xml:base='2'
                xmlns:k='http://www.w3.org/1999/xlink' k:href='3'><xi:include href='4'/>
                <?xml-stylesheet href='no'?></d>",
            &[
                "?xml-stylesheet@href=1",
                "d@xml:base=2",
                "d@k:href=3 base 0",
                "xi:include@href=4 base 0",
            ],
        ),
        (
            "<x:stylesheet xmlns:x='http://www.w3.org/1999/XSL/Transform'
                xmlns='http://www.w3.org/1999/xhtml'><x:import href='1'/><base href='2'/>
                <a href='{@h}'/></x:stylesheet>",
            &["xsl:import@href=1", "base@href=2 Template", "a@href={@h} Template"],
        ),
        (
            "<!DOCTYPE feed [<!ENTITY b 'http://h/'><!ENTITY m '<b/>'>]>
                <feed xmlns='http://www.w3.org/2005/Atom'><link href='&b;x'/><icon>&b;&b;</icon>
                <link href='&m;'/></feed>",
            &[
                "atom:link@href=http://h/x",
                "atom:icon=http://h/http://h/",
                "atom:link@href=unknown entity &m;",
            ],
        ),
        ("<svg><a href='&e;'/></svg>", &["svg:a@href=unknown entity &e;"]),
        ("<browserconfig><tile><TileImage src='1'/></tile></browserconfig>", &["TileImage@src=1"]),
        (
            "<opml><outline xmlUrl='1' htmlUrl='2' text='no'/></opml>",
            &["outline@xmlUrl=1", "outline@htmlUrl=2"],
        ),
    ] {
        assert_eq!(values(source.as_bytes()), expected, "{source}");
    }
}

#[test]
fn scopes_end_with_their_element() {
    let source = b"<a xmlns:p='http://www.w3.org/2000/svg'><b xmlns:p='urn:x'><p:a href='no'/>
        </b><b xmlns:p='urn:x'/><p:a href='1' xmlns:q='urn:x'/></a>";
    assert_eq!(values(source), ["svg:a@href=1"]);
    let redeclared = b"<svg xmlns='http://www.w3.org/2000/svg'><a xmlns='' href='no'/></svg>";
    assert!(values(redeclared).is_empty());
}

#[test]
fn bases_form_a_tree() {
    let source = b"<a xml:base='0'><b xml:base='1'><c xml:base='2'/></b><d xml:base='3'/></a>";
    let findings = find(source, 0, Wanted::VALUES).unwrap();
    let parents: Vec<_> = findings.bases.iter().map(|base| base.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(0)]);
    let of_values: Vec<_> = findings.bases.iter().map(|base| base.value).collect();
    assert_eq!(of_values, [0, 1, 2, 3]);
    let behind = b"<r xmlns:s='http://www.w3.org/2000/svg'>\
        <s:a href='1' xml:base='2' style='3'/></r>";
    let findings = find(behind, 0, Wanted::VALUES).unwrap();
    assert_eq!(findings.bases[0].value, 1);
    let bases: Vec<_> = findings.values.iter().map(|value| value.base).collect();
    assert_eq!(bases, [Some(0), None, Some(0)]);
}

#[test]
fn browsers_ignore_xml_base_in_what_they_render() {
    for root in ["svg xmlns='http://www.w3.org/2000/svg'", "html", "math"] {
        let name = root.split(' ').next().unwrap();
        let source = format!("<{root} xml:base='1'><a href='2' xml:base='3'/></{name}>");
        let findings = find(source.as_bytes(), 0, Wanted::VALUES).unwrap();
        assert!(findings.bases.is_empty(), "{source}");
        assert_eq!(findings.ignored_bases.len(), 2, "{source}");
        assert!(findings.values.iter().all(|value| value.base.is_none()));
    }
}

#[test]
fn what_counts_besides() {
    let source = b"<?xml version='1.0' encoding=\"koi8-r\"?><html><p><a href='x'/></p>
        <base target='y'/><base href='z'/><base href='w'/>
        <object codebase='c' data='d' classid='e'/></html>";
    let findings = find(source, 0, Wanted::VALUES).unwrap();
    let at = |span: Span| &source[span.start..span.end];
    assert_eq!(findings.base_element, Some(1));
    let relative_to: Vec<_> = findings.values.iter().map(|value| value.rules.base).collect();
    assert_eq!(relative_to[1], ValueBase::Fallback);
    assert_eq!(relative_to[5], ValueBase::Codebase);
    assert_eq!(findings.values[5].beside.map(at), Some(&b"c"[..]));
}

#[test]
fn encodings_do_not_matter() {
    for (source, encoding, expected) in [
        (&b"<svg><a href='gr\xFC\xDFe'/></svg>"[..], WINDOWS_1252, "svg:a@href=grüße"),
        (b"<\xFC><svg:a xmlns:svg='http://www.w3.org/2000/svg' href='1' \xFC='' \xFB=''/></\xFC>",
            WINDOWS_1252, "svg:a@href=1"),
        (b"<svg><a href='\x83\\\x83\x7C'/></svg>", SHIFT_JIS, "svg:a@href=ソポ"),
        (b"<\x83\\><svg:a xmlns:svg='http://www.w3.org/2000/svg' href='1'/></\x83\\>",
            SHIFT_JIS, "svg:a@href=1"),
    ] {
        assert_eq!(values_in(source, encoding), [expected]);
    }
    let with_mark = b"\xEF\xBB\xBF<svg><a href='1'/></svg>";
    let value = &find(with_mark, 3, Wanted::VALUES).unwrap().values[0];
    assert_eq!(&with_mark[value.span.start..value.span.end], b"1");
}

#[test]
fn what_is_not_well_formed() {
    let late = format!("<a>{}\u{1}</a>", "\t\n\r ".repeat(40));
    for (source, offset) in [
        (&*late, 163),
        ("", 0),
        ("  ", 2),
        ("text", 0),
        ("<a>", 0),
        ("<a></b>", 3),
        ("<a></a></a>", 7),
        ("<a/><b/>", 4),
        ("<a/>text", 4),
        ("<a/>&amp;", 4),
        ("<a>&</a>", 3),
        ("<a>& b;</a>", 3),
        ("<a>&#0;</a>", 3),
        ("<a>]]></a>", 3),
        ("<a><![CDATA[</a>", 3),
        ("<![CDATA[]]><a/>", 0),
        ("<a><!-- -- --></a>", 8),
        ("<a><!-- ---></a>", 8),
        ("<a><!-- </a>", 3),
        ("<a>< b</a>", 3),
        ("<a><1/></a>", 3),
        ("<a b/>", 4),
        ("<a b=c/>", 5),
        ("<a b='<'/>", 6),
        ("<a b='&'/>", 6),
        ("<a b='1'c='2'/>", 8),
        ("<a b='1' b='2'/>", 9),
        ("<a ='1'/>", 7),
        ("<a b='1/>", 0),
        ("<a\x01/>", 2),
        ("<a:b:c/>", 0),
        ("<p:a/>", 0),
        ("<a p:b='1'/>", 8),
        ("<a xmlns:p=''/>", 12),
        (" <?xml version='1.0'?><a/>", 1),
        ("<a><!DOCTYPE a></a>", 3),
        ("<!DOCTYPE a><!DOCTYPE a><a/>", 12),
        ("<!DOCTYPE a [<!ENTITY b '>]><a/>", 0),
        ("\u{FEFF}<a/>", 0),
        ("<a><? p?></a>", 3),
    ] {
        let error = find(source.as_bytes(), 0, Wanted::VALUES).unwrap_err();
        assert_eq!(error.offset, offset, "{source} {error}");
    }
}

#[test]
fn what_is_well_formed() {
    for source in [
        "<a b = '1'\n\tc=\"2\" ></a >",
        "<!DOCTYPE a PUBLIC \"]>\" '>[' [<!-- ' ]> --><!ENTITY b ']>\"'><?p ]> ' ?>
            <!ELEMENT a ANY><!ATTLIST a b CDATA '<>'> %p; ] ><a b='>'>&c; > ' \" ]]</a>",
        "<!-- --><?p?><a/><?p q?><!----> \n",
        "<a><![CDATA[<b>&]] ]>]]></a>",
        "<ä ö='1'/>",
        "<xml:a xml:lang='1'/>",
        "<?xml version=\"1.1\"?>\r\n<a>&#1;</a>",
    ] {
        assert!(
            find(source.as_bytes(), 0, Wanted::VALUES).is_ok(),
            "{source} {:?}",
            find(source.as_bytes(), 0, Wanted::VALUES)
        );
    }
}

/// Documents made of pieces that matter.
fn documents() -> impl Strategy<Value = Vec<u8>> {
    let leaf = prop_oneof![
        Just("<a href=\"x&amp;y\"/>".to_owned()),
        Just("<s:use k:href='&#x41;' s='' style=\"a\tb\"/>".to_owned()),
        Just("<link>\n http://h/?a&amp;b </link>".to_owned()),
        Just("<description><![CDATA[<p>]]></description>".to_owned()),
        Just("<description>a<![CDATA[b]]>c<!-- d --></description>".to_owned()),
        Just("<guid><!-- --> a &lt;<?p?></guid>".to_owned()),
        Just("text &amp; ä".to_owned()),
        Just("<!-- <a href='no'> -->".to_owned()),
    ];
    let tree = leaf.prop_recursive(4, 24, 4, |inner| {
        (proptest::collection::vec(inner, 0..4), 0..3).prop_map(|(inner, which)| {
            let inner = inner.concat();
            match which {
                0 => format!("<item xml:base='b{}/'>{inner}</item>", inner.len()),
                1 => format!("<s:a href='h'>{inner}</s:a>"),
                _ => format!("<image><url>u</url>{inner}</image>"),
            }
        })
    });
    tree.prop_map(|inner| {
        format!(
            "<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY s 'http://www.w3.org/2000/svg'>]>
            <rss xmlns:s='&s;' xmlns:k='http://www.w3.org/1999/xlink'>{inner}</rss>"
        )
        .into_bytes()
    })
}

fn check_spans(source: &[u8], findings: &XmlFindings) {
    let mut end = 0;
    for value in &findings.values {
        assert!(end <= value.span.start && value.span.start <= value.span.end);
        end = value.span.end;
        let before = source.get(value.span.start.wrapping_sub(1)).copied();
        match value.place {
            XmlPlace::Attribute(quote) => {
                assert_eq!(before, Some(quote));
                assert_eq!(source.get(value.span.end), Some(&quote));
            }
            _ => assert!(value.span.start < value.span.end),
        }
        assert!(value.base.is_none_or(|base| base < findings.bases.len()));
    }
    assert!(end <= source.len());
    for (at, base) in findings.bases.iter().enumerate() {
        assert!(base.parent.is_none_or(|parent| parent < at));
        let value = &findings.values[base.value];
        assert!(matches!(value.attribute.as_deref(), Some("xml:base") | None));
        assert!(value.base == base.parent);
    }
}

proptest! {
    #[test]
    fn any_bytes_do_not_panic(
        source in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..60),
            "(<|>|</|/>|<!--|-->|<!\\[CDATA\\[|\\]\\]>|<!DOCTYPE|\\[|\\]|<!ENTITY|<\\?|\\?>|xml|a|:|href|link|rss|xmlns|=|'|\"|&|;|#| |é){0,30}"
                .prop_map(String::into_bytes),
        ],
        start in 0..3usize,
    ) {
        if let Ok(findings) = find(&source, start, Wanted::VALUES) {
            check_spans(&source, &findings);
        }
    }

    #[test]
    fn damaged_documents_do_not_panic(
        source in documents(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let mut source = source;
        for (at, byte) in damage {
            let at = at.index(source.len());
            source[at] = byte;
        }
        if let Ok(findings) = find(&source, 0, Wanted::VALUES) {
            check_spans(&source, &findings);
        }
    }

    #[test]
    fn what_is_put_in_place_is_read_back(
        source in documents(),
        with in "[!-~]{1,12}|[!-~ ]{0,6}[!-~]",
    ) {
        let findings = find(&source, 0, Wanted::VALUES).unwrap();
        check_spans(&source, &findings);
        let mut replaced = Vec::new();
        let mut end = 0;
        let mut expected = Vec::new();
        for value in &findings.values {
            let with = with.replace("]]>", "").trim_start().to_owned();
            let place = match value.place {
                XmlPlace::Mixed => XmlPlace::Text,
                place => place,
            };
            replaced.extend_from_slice(&source[end..value.span.start]);
            replaced.extend_from_slice(escape(&with, place).as_bytes());
            end = value.span.end;
            expected.push((value.element.clone(), value.attribute.clone(), with));
        }
        replaced.extend_from_slice(&source[end..]);
        let again = find(&replaced, 0, Wanted::VALUES).unwrap();
        let found: Vec<_> = again
            .values
            .iter()
            .map(|value| {
                let raw = &replaced[value.span.start..value.span.end];
                let text = decode(raw, value.place, UTF_8, &Entities::default()).unwrap().as_str().to_owned();
                (value.element.clone(), value.attribute.clone(), text)
            })
            .collect();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn no_row_is_for_elements_without_a_known_namespace() {
    let unknown = [Namespace::None, Namespace::Other];
    assert!(ROWS.iter().all(|row| !unknown.contains(&row.0)));
}
