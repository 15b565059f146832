//! Snapshots of the reports.

mod audit_reports;
