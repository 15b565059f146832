use std::io::{Cursor, Read};

use proptest::prelude::*;

use super::*;

/// A record of that type with that block.
fn record(kind: &str, uri: &str, block: &[u8], tail: &str) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nwarc-target-uri:  <{uri}>\r\nX-Folded: a\r\n  b\r\n\
         Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, tail.as_bytes()].concat()
}

/// How records are put into gzip members.
#[derive(Clone, Copy, Debug)]
enum Layout {
    None,
    Each,
    All,
    Pairs,
    /// Members end in the middle of records.
    Cut,
}

const LAYOUTS: [Layout; 5] = [Layout::None, Layout::Each, Layout::All, Layout::Pairs, Layout::Cut];

fn archive(records: &[Vec<u8>], layout: Layout) -> Vec<u8> {
    let pack = |parts: &[&[u8]]| gzip::member(parts).unwrap();
    match layout {
        Layout::None => records.concat(),
        Layout::Each => records.iter().flat_map(|it| pack(&[it])).collect(),
        Layout::All => pack(&[&records.concat()]),
        Layout::Pairs => records.chunks(2).flat_map(|pair| pack(&[&pair.concat()])).collect(),
        Layout::Cut => records
            .iter()
            .flat_map(|it| {
                let (one, other) = it.split_at(it.len() / 2);
                [pack(&[one]), pack(&[other])].concat()
            })
            .collect(),
    }
}

/// The numbers and URLs of records.
type Held = Vec<(usize, String)>;

/// All that is in the archive, written again; and the numbers and URLs of the records held.
fn copied(
    file: &[u8],
    wanted: impl Fn(&RecordHeader) -> bool,
) -> Result<(Vec<u8>, Held), ArchiveError> {
    let mut records = Records::new(Cursor::new(file), true)?;
    let format = records.format();
    let (mut written, mut held) = (Vec::new(), Vec::new());
    let slice = |range: Range<u64>| &file[range.start as usize..range.end as usize];
    while let Some(piece) = records.next_piece(|_, head, _| wanted(head))? {
        match piece {
            Piece::Range(range) => written.extend_from_slice(slice(range)),
            Piece::Member(bytes) => written.extend_from_slice(&bytes),
            Piece::Record(record) => {
                let uri = record.head.target_uri().unwrap_or_default();
                held.push((record.number, uri));
                match &record.place {
                    Some(place) => written.extend_from_slice(slice(place.clone())),
                    None => written.extend(record.write(format).unwrap()),
                }
            }
        }
    }
    Ok((written, held))
}

fn unpacked(file: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    if file.starts_with(&gzip::MAGIC) {
        let mut decoder = flate2::read::MultiGzDecoder::new(file);
        decoder.read_to_end(&mut content).unwrap();
    } else {
        content.extend_from_slice(file)
    }
    content
}

proptest! {
    #[test]
    fn nothing_is_lost(
        contents in proptest::collection::vec(
            (0_usize..4, proptest::collection::vec(any::<u8>(), 0..300), any::<bool>()),
            0..7,
        ),
        wanted in 0_usize..3,
    ) {
        let records: Vec<Vec<u8>> = contents
            .iter()
            .enumerate()
            .map(|(number, (kind, block, is_usual))| {
                let kind = ["warcinfo", "response", "resource", "metadata"][*kind];
                let tail = if *is_usual { "\r\n\r\n" } else { "\n" };
                record(kind, &format!("http://h/{number}"), block, tail)
            })
            .collect();
        let is_wanted = |head: &RecordHeader| wanted > 0 && (wanted == 1 || head.kind() == RecordKind::Response);
        let expected: Vec<(usize, String)> = contents
            .iter()
            .enumerate()
            .filter(|(_, (kind, ..))| wanted == 1 || wanted == 2 && *kind == 1)
            .map(|(number, _)| (number + 1, format!("http://h/{number}")))
            .collect();
        for layout in LAYOUTS {
            let file = archive(&records, layout);
            let (written, held) = copied(&file, is_wanted).unwrap();
            prop_assert_eq!(&held, &expected, "{:?}", layout);
            match layout {
                Layout::None | Layout::Each | Layout::Cut => prop_assert_eq!(written, file),
                // Each record has a member of its own now.
                Layout::All | Layout::Pairs => {
                    prop_assert_eq!(unpacked(&written), records.concat());
                }
            }
        }
    }

    #[test]
    fn a_cut_archive_is_an_error_or_ends_between_records(cut in any::<proptest::sample::Index>()) {
        let records: Vec<_> = ["response", "metadata", "resource"]
            .map(|kind| record(kind, "http://h/", &[b'x'; 200], "\r\n\r\n"))
            .into();
        for layout in LAYOUTS {
            let file = archive(&records, layout);
            let cut = cut.index(file.len());
            if let Ok((written, _)) = copied(&file[..cut], |_| true) {
                let all = unpacked(&file[..cut]);
                prop_assert_eq!(unpacked(&written), all, "{:?}", layout);
            }
        }
    }
}

#[test]
fn records_share_members_of_their_own_afterwards() {
    let large: Vec<u8> = (0..3_000_000_u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
    let records = [
        record("warcinfo", "", b"x", "\r\n\r\n"),
        record("response", "http://h/", &large, "\r\n\r\n"),
        record("resource", "http://h/", b"small", "\r\n\r\n"),
    ];
    let file = archive(&records, Layout::All);
    for is_wanted in [false, true] {
        let (written, _) = copied(&file, |_| is_wanted).unwrap();
        assert!(unpacked(&written) == records.concat(), "{is_wanted}");
        let mut places = Vec::new();
        let mut again = Records::new(Cursor::new(&written), true).unwrap();
        while let Some(piece) = again.next_piece(|_, _, _| false).unwrap() {
            places.push(piece);
        }
        let is_place = |piece: &Piece| matches!(piece, Piece::Range(_));
        assert!(places.len() == 3 && places.iter().all(is_place));
    }
}

#[test]
fn errors_say_where() {
    let good = record("metadata", "http://h/", b"abc", "\r\n\r\n");
    let at = good.len();
    for (bad, kind) in [
        (&b"GARBAGE"[..], "no WARC record begins here: not a WARC archive, or a damaged one"),
        (b"WAR", "no WARC record begins here: not a WARC archive, or a damaged one"),
        (b"WARC/1.0\r\nContent-Length: 3\r\n", "the header has no end: the archive is cut off"),
        (b"WARC/1.0\r\nWARC-Type: x\r\n\r\nabc", "the record has no usable Content-Length"),
        (b"WARC/1.0\r\nContent-Length: -3\r\n\r\nabc", "the record has no usable Content-Length"),
        (
            b"WARC/1.0\r\nContent-Length: 5\r\n\r\nabc",
            "the file ends 2 bytes before the end of the record",
        ),
        (
            b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nabc",
            "the file ends 2 bytes before the end of the record",
        ),
    ] {
        let file = [&good, bad].concat();
        let error = copied(&file, |_| true).unwrap_err().to_string();
        assert_eq!(error, format!("record 2, at byte {at}: {kind}"));
        let member = gzip::member(&[&good]).unwrap();
        let file = [member.clone(), gzip::member(&[bad]).unwrap()].concat();
        let error = copied(&file, |_| true).unwrap_err().to_string();
        let at = member.len();
        assert_eq!(error, format!("record 2, at byte {at}: {kind}"));
    }
    let whole = gzip::member(&[&good]).unwrap();
    let error = copied(&whole[..whole.len() - 3], |_| true).unwrap_err();
    let message = error.to_string();
    assert!(message.starts_with("record 1, at byte 0: the gzip member is damaged ("), "{message}");
}

#[test]
fn fields_get_other_values_and_nothing_else_changes() {
    let bytes = record("response", "http://h/", b"abc", "\r\n\r\n");
    let mut records = Records::new(Cursor::new(&bytes), true).unwrap();
    let Some(Piece::Record(mut found)) = records.next_piece(|_, _, _| true).unwrap() else {
        panic!("held");
    };
    assert_eq!(found.head.value("X-FOLDED").as_deref(), Some("a  b"));
    found.head = found.head.with_values(&[
        ("Content-Length", "5".to_owned()),
        ("WARC-Type", "resource".to_owned()),
        ("WARC-Block-Digest", "not there".to_owned()),
    ]);
    found.block = b"abcde".to_vec();
    assert_eq!(
        found.write(Format::Plain).unwrap(),
        record("resource", "http://h/", b"abcde", "\r\n\r\n")
    );
    assert_eq!(found.head.target_uri().as_deref(), Some("http://h/"));
}

#[test]
fn what_is_not_wanted_can_be_hashed() {
    let blocks: [&[u8]; 4] = [b"one", b"", &[b'x'; 200_000], b"four"];
    let records: Vec<Vec<u8>> =
        blocks.iter().map(|block| record("metadata", "http://h/", block, "\r\n\r\n")).collect();
    for layout in LAYOUTS {
        let file = Cursor::new(archive(&records, layout));
        let mut reader = Records::new(file, false).unwrap().hashing();
        for (index, block) in blocks.iter().enumerate() {
            let number = index + 1;
            let record = reader.next_record(|it, _, _| it == 2).unwrap().unwrap();
            assert_eq!(record.number, number, "{layout:?}");
            assert_eq!(record.is_whole, number == 2, "{layout:?}");
            if !record.is_whole {
                assert_eq!(record.block, Sha256::digest(block).to_vec(), "{layout:?}");
            }
            assert_eq!(record.tail, b"\r\n\r\n", "{layout:?}");
        }
        let end = reader.next_record(|_, _, _| false).unwrap();
        assert!(end.is_none(), "{layout:?}: {end:?}");
    }
}

/// A few bytes that become endless ones would take all time.
#[test]
fn an_archive_that_is_compressed_too_far_is_an_error() {
    let records = ["http://h/a", "http://h/b"].map(|uri| record("response", uri, b"x", "\r\n\r\n"));
    for layout in [Layout::Each, Layout::All] {
        let file = archive(&records, layout);
        let size = u64::try_from(records.concat().len()).unwrap();
        let most = (16 << 20) + 100 * u64::try_from(file.len()).unwrap();
        for (before, is_read) in [(most - size, true), (most - size + 1, false)] {
            let mut records = Records::new(Cursor::new(&file), true).unwrap();
            // As if other records were before these.
            records.input.seek_to(0, before).unwrap();
            let mut count = 0;
            let error = loop {
                match records.next_piece(|_, _, _| true) {
                    Ok(Some(Piece::Record(_))) => count += 1,
                    Ok(Some(_)) => {}
                    Ok(None) => break None,
                    Err(error) => break Some(error.kind),
                }
            };
            if is_read {
                assert!(count == 2 && error.is_none(), "{layout:?}: {error:?}")
            } else {
                assert!(
                    matches!(error, Some(ArchiveErrorKind::TooLarge { .. })),
                    "{layout:?}: {error:?}"
                )
            }
        }
    }
}
