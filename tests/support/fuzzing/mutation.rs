//! Mutations: inputs made of others.

/// Random numbers good enough for tests (xorshift).
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence that `seed` begins.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    /// One of `all`, which is not empty.
    pub fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }
}

/// Bytes that end or begin something in most syntaxes.
const DELIMITERS: &[u8] = b"<>\"'=/ \0!-&;,:#?(){}[]\\%@*.\r\n\t\xFF\xC3\x80";

/// Changes `input` at a few places: pieces are inserted, ranges removed, doubled, moved, single bytes
/// replaced. The result has at most `most` bytes.
pub fn mutate(input: &mut Vec<u8>, pieces: &[&str], random: &mut Random, most: usize) {
    for _ in 0..1 + random.below(6) {
        let at = random.below(input.len() + 1);
        let end = (at + 1 + random.below(24)).min(input.len());
        match random.below(9) {
            0..=2 => drop(input.splice(at..at, random.of(pieces).bytes())),
            3 => drop(input.splice(at..end, random.of(pieces).bytes())),
            4 => drop(input.drain(at..end)),
            5 => {
                let range = input[at..end].to_vec();
                let to = random.below(input.len() + 1);
                input.splice(to..to, range);
            }
            6 if at < input.len() => input[at] = *random.of(DELIMITERS),
            7 => input.insert(at, *random.of(DELIMITERS)),
            8 if random.below(8) == 0 => input.truncate(at),
            // The last bytes choose options.
            _ => input.push(random.below(256) as u8),
        }
    }
    input.truncate(most);
}
