//! Dates, as Jekyll writes them in URLs.

/// A time of the calendar, in the zone in which it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
}

#[rustfmt::skip]
const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
];

const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// The length of the short names of months and days.
const SHORT: usize = 3;

impl Date {
    /// The date at the start of `text`: `2024-01-02`, and perhaps a time after it.
    pub(super) fn parse(text: &str) -> Option<Date> {
        let mut numbers = text
            .split(|it: char| !it.is_ascii_digit())
            .map(|it| it.parse::<i64>().ok());
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
        };
        let next = Date {
            day: 1,
            month: month % 12 + 1,
            year: year + month / 12,
            ..date
        };
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

    fn first_of(year: i64) -> Date {
        Date {
            year,
            month: 1,
            day: 1,
            hour: 0,
            minute: 0,
            second: 0,
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
        let year = years
            .into_iter()
            .find(|year| Date::first_of(*year).days() <= thursday);
        let year = year.unwrap_or(self.year);
        (year, (thursday - Date::first_of(year).days()) / 7 + 1)
    }

    /// The text that the placeholder `name` of a permalink stands for; `None` if it is not one of dates.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_parts_of_the_date() {
        for (date, expected) in [
            (
                "2024-12-30",
                "2024 24 12 Dec December 30 30 365 2025 01 1 Mon 00",
            ),
            (
                "2021-1-3 04:05:06 -0700",
                "2021 21 01 Jan January 03 3 003 2020 53 7 Sun 04",
            ),
            (
                "2016-02-29T23:00",
                "2016 16 02 Feb February 29 29 060 2016 09 1 Mon 23",
            ),
        ] {
            let date = Date::parse(date).unwrap();
            let names = "year short_year month short_month long_month day i_day y_day w_year week w_day short_day hour";
            let parts: Vec<String> = names
                .split(' ')
                .map(|name| date.placeholder(name).unwrap())
                .collect();
            assert_eq!(parts.join(" "), expected);
            assert_eq!(date.placeholder("title"), None);
        }
        for bad in ["2023-02-29", "2023-13-01", "2023-01-00", "x", "24-1-1"] {
            assert_eq!(Date::parse(bad), None, "{bad}");
        }
    }
}
