//! Dates, as Jekyll and Hugo write them in URLs.

/// A time of the calendar, in the zone in which it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::markdown) struct Date {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    /// The minutes by which the zone is before UTC, if they are written.
    offset: Option<i64>,
}

/// Zones in which many sites are: by how many minutes they are before UTC in the winter and the summer of the north, and
/// their names. All change in March, and in October or November.
#[rustfmt::skip]
const ZONES: &[(i64, i64, &[&str])] = &[
    (0, 0, &["UTC", "Etc/UTC", "GMT"]),
    (-480, -420, &["America/Los_Angeles"]),
    (-420, -360, &["America/Denver"]),
    (-360, -300, &["America/Chicago"]),
    (-300, -240, &["America/New_York", "America/Toronto"]),
    (-180, -180, &["America/Sao_Paulo"]),
    (0, 60, &["Europe/London", "Europe/Dublin", "Europe/Lisbon"]),
    (60, 120, &[
        "Europe/Paris", "Europe/Berlin", "Europe/Madrid", "Europe/Rome", "Europe/Amsterdam",
        "Europe/Brussels", "Europe/Vienna", "Europe/Zurich", "Europe/Prague", "Europe/Warsaw",
        "Europe/Stockholm", "Europe/Oslo", "Europe/Copenhagen",
    ]),
    (120, 180, &["Europe/Helsinki", "Europe/Athens", "Europe/Kiev", "Europe/Kyiv"]),
    (180, 180, &["Europe/Moscow"]),
    (330, 330, &["Asia/Kolkata", "Asia/Calcutta"]),
    (480, 480, &["Asia/Singapore", "Asia/Shanghai", "Asia/Hong_Kong", "Asia/Taipei"]),
    (540, 540, &["Asia/Tokyo", "Asia/Seoul"]),
];

const MINUTES_OF_DAY: i64 = 24 * 60;

#[rustfmt::skip]
const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
];

const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The length of the short names of months and days.
const SHORT: usize = 3;

impl Date {
    /// Returns the date at the start of `text`: `2024-01-02`, and perhaps a time after it.
    pub(in crate::markdown) fn parse(text: &str) -> Option<Date> {
        let mut numbers =
            text.split(|it: char| !it.is_ascii_digit()).map(|it| it.parse::<i64>().ok());
        let (year, month, day) = (numbers.next()??, numbers.next()??, numbers.next()??);
        let is_date = (1000..=9999).contains(&year) && (1..=12).contains(&month);
        let mut time = || numbers.next().flatten().unwrap_or_default();
        let date = Date {
            year,
            month,
            day,
            hour: time(),
            minute: time(),
            second: time(),
            offset: offset(text),
        };
        let next = Date { day: 1, month: month % 12 + 1, year: year + month / 12, ..date };
        let is_day = is_date && day >= 1 && date.days() < next.days();
        is_day.then_some(date)
    }

    /// The days since 1 January 1970 (in the proleptic Gregorian calendar; Howard Hinnant's algorithm).
    fn days(self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let day_of_year = (153 * ((self.month + 9) % 12) + 2) / 5 + self.day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + day_of_era - 719_468
    }

    /// Returns the minutes since 1970, in UTC if the date has no zone.
    pub(in crate::markdown) fn minutes(self) -> i64 {
        let own = self.days() * MINUTES_OF_DAY + self.hour * 60 + self.minute;
        own - self.offset.unwrap_or_default()
    }

    /// Returns the first second of a year.
    pub(super) fn first_of(year: i64) -> Date {
        Date { year, month: 1, day: 1, hour: 0, minute: 0, second: 0, offset: None }
    }

    /// Returns the date and time in the zone called `zone`; `None` if they are not known. A date whose own zone, or
    /// `zone`, is not known is left as it is.
    pub(super) fn in_zone(self, zone: &str) -> Option<Date> {
        let known = ZONES.iter().find(|(.., names)| names.contains(&zone));
        let (Some(own), Some((winter, summer, _))) = (self.offset, known) else {
            return Some(self);
        };
        let offsets: &[i64] = match self.month {
            12 | 1 | 2 => &[*winter],
            4..=9 => &[*summer],
            _ => &[*winter, *summer],
        };
        let mut dates = offsets.iter().map(|offset| self.later(offset - own));
        let first = dates.next()?;
        if dates.all(|date| date.days() == first.days()) {
            Some(first)
        } else {
            offsets.contains(&own).then_some(self)
        }
    }

    /// The date and time after a number of minutes.
    fn later(self, minutes: i64) -> Date {
        let minutes = self.days() * MINUTES_OF_DAY + self.hour * 60 + self.minute + minutes;
        let (days, rest) = (minutes.div_euclid(MINUTES_OF_DAY), minutes.rem_euclid(MINUTES_OF_DAY));
        // The inverse of `days`.
        let days = days + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let leaps = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / 146_096;
        let year_of_era = (day_of_era - leaps) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let month = (shifted + 2) % 12 + 1;
        Date {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * shifted + 2) / 5 + 1,
            hour: rest / 60,
            minute: rest % 60,
            ..self
        }
    }

    /// 1 for the first day of the year.
    fn day_of_year(self) -> i64 {
        self.days() - Date::first_of(self.year).days() + 1
    }

    /// 1 for Monday.
    fn day_of_week(self) -> i64 {
        (self.days() + 3).rem_euclid(7) + 1
    }

    /// The year and the number of the week (ISO 8601).
    fn week(self) -> (i64, i64) {
        // Of the year in which its Thursday is.
        let thursday = self.days() + 4 - self.day_of_week();
        let years = [self.year + 1, self.year, self.year - 1];
        let year = years.into_iter().find(|year| Date::first_of(*year).days() <= thursday);
        let year = year.unwrap_or(self.year);
        (year, (thursday - Date::first_of(year).days()) / 7 + 1)
    }

    /// Returns the text that the placeholder `name` of a permalink stands for; `None` if it is not one of dates.
    pub(super) fn placeholder(self, name: &str) -> Option<String> {
        let name_of = |names: &[&'static str], number: i64| {
            let at = usize::try_from(number - 1).unwrap_or_default();
            names.get(at).copied().unwrap_or_default()
        };
        let short = |name: &'static str| name.get(..SHORT).unwrap_or(name).to_owned();
        Some(match name {
            "year" => format!("{:04}", self.year),
            "short_year" => format!("{:02}", self.year % 100),
            "month" => format!("{:02}", self.month),
            "i_month" => self.month.to_string(),
            "short_month" => short(name_of(&MONTHS, self.month)),
            "long_month" => name_of(&MONTHS, self.month).to_owned(),
            "day" => format!("{:02}", self.day),
            "i_day" => self.day.to_string(),
            "y_day" => format!("{:03}", self.day_of_year()),
            "w_year" => self.week().0.to_string(),
            "week" => format!("{:02}", self.week().1),
            "w_day" => self.day_of_week().to_string(),
            "short_day" => short(name_of(&DAYS, self.day_of_week())),
            "long_day" => name_of(&DAYS, self.day_of_week()).to_owned(),
            "hour" => format!("{:02}", self.hour),
            "minute" => format!("{:02}", self.minute),
            "second" => format!("{:02}", self.second),
            _ => return None,
        })
    }
}

/// The minutes before UTC in the zone at the end of `text`: `+0200`, `-07:00`, `Z`.
fn offset(text: &str) -> Option<i64> {
    if text.ends_with('Z') {
        return Some(0);
    }
    let (before, zone) = text.split_at_checked(text.rfind(['+', '-'])?)?;
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let number: i64 = digits.parse().ok()?;
    // After a time: a hyphen may be one of the date.
    let is_zone = digits.len() == 4 && before.contains(':');
    let minutes = number / 100 * 60 + number % 100;
    is_zone.then_some(if zone.starts_with('-') { -minutes } else { minutes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_that_of_the_zone_of_the_site() {
        let zone = "America/Los_Angeles";
        for (date, zone, expected) in [
            ("2013-05-06 02:12:52 +0200", zone, Some("2013-05-05 17:12")),
            ("2018-02-25 13:02:08 +05:30", zone, Some("2018-02-24 23:32")),
            ("2016-03-01 00:10 Z", zone, Some("2016-02-29 16:10")),
            ("2016-03-01 07:30 +0000", zone, None),
            ("2016-03-01 23:30 -0800", zone, Some("2016-03-01 23:30")),
            ("2016-12-31 23:30 -0800", "Asia/Tokyo", Some("2017-01-01 16:30")),
            ("2016-03-01 07:30", zone, Some("2016-03-01 07:30")),
            ("2016-03-01", zone, Some("2016-03-01 00:00")),
            ("2016-03-01 07:30 +0000", "Mars/Base", Some("2016-03-01 07:30")),
        ] {
            let found = Date::parse(date).unwrap().in_zone(zone).map(|it| {
                let part = |name| it.placeholder(name).unwrap();
                let date = ["year", "month", "day"].map(part).join("-");
                format!("{date} {}:{}", part("hour"), part("minute"))
            });
            assert_eq!(found.as_deref(), expected, "{date}");
        }
    }

    #[test]
    fn placeholders_are_parts_of_the_date() {
        for (date, expected) in [
            ("2024-12-30", "2024 24 12 Dec December 30 30 365 2025 01 1 Mon 00"),
            ("2021-1-3 04:05:06 -0700", "2021 21 01 Jan January 03 3 003 2020 53 7 Sun 04"),
            ("2016-02-29T23:00", "2016 16 02 Feb February 29 29 060 2016 09 1 Mon 23"),
        ] {
            let date = Date::parse(date).unwrap();
            let names = "year short_year month short_month long_month day i_day y_day w_year week w_day short_day hour";
            let parts: Vec<String> =
                names.split(' ').map(|name| date.placeholder(name).unwrap()).collect();
            assert_eq!(parts.join(" "), expected);
            assert_eq!(date.placeholder("title"), None);
        }
        for bad in ["2023-02-29", "2023-13-01", "2023-01-00", "x", "24-1-1"] {
            assert_eq!(Date::parse(bad), None, "{bad}");
        }
    }
}
