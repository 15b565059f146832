//! Tests of the reports.

mod audit_reports;
mod html_report;
