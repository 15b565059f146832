//! Formats numbers and their nouns, for all messages and reports.

/// Returns a number with commas between thousands: `1,234`.
pub fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number with its noun: `1 record`, `1,234 records`, `2 directories`.
pub fn counted(count: usize, noun: &str) -> String {
    let number = number(count);
    match noun.strip_suffix("ry") {
        Some(stem) if count != 1 => format!("{number} {stem}ries"),
        _ => format!("{number} {noun}{}", plural(count)),
    }
}

/// Returns the ending of a noun after `count`: nothing, or `s`.
pub fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        for (n, expected) in
            [(0, "0"), (999, "999"), (1000, "1,000"), (123456, "123,456"), (1234567, "1,234,567")]
        {
            assert_eq!(number(n), expected);
        }
    }

    #[test]
    fn nouns_agree_with_their_numbers() {
        let records = [0, 1, 2, 1500].map(|n| counted(n, "record"));
        assert_eq!(records, ["0 records", "1 record", "2 records", "1,500 records"]);
        let directories = [1, 2].map(|n| counted(n, "directory"));
        assert_eq!(directories, ["1 directory", "2 directories"]);
    }
}
