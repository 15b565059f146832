//! `--format parquet` of `links` and `audit`: the records of JSON lines, as columns.

use crate::support::TestDir;

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_how_to_get_it() {
    let dir = TestDir::with_site(&[("a.html", "<a href=a.html>")]);
    for command in ["links", "audit"] {
        let run = dir.rehref(&[command, "site", "--format", "parquet=r.parquet"]);
        let stderr = run.status(2).stderr();
        assert!(
            stderr.contains("built without Parquet; to install rehref with Parquet: cargo install rehref --features parquet"),
            "{stderr}"
        );
        assert!(!dir.path("r.parquet").exists());
    }
}

#[cfg(feature = "parquet")]
mod with_parquet {
    use std::fs::{self, File};
    use std::path::Path;
    use std::process::Command;

    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{Field, Row};
    use parquet::schema::printer::print_schema;
    use proptest::prelude::*;
    use serde_json::{Map, Value};

    use super::TestDir;
    use crate::support::{cases, copy_tree};

    const URL: &str = "https://example.org/docs/";

    fn reader(file: &Path) -> SerializedFileReader<File> {
        SerializedFileReader::new(File::open(file).unwrap()).unwrap()
    }

    /// The rows of a file, each as a JSON object.
    fn rows(file: &Path) -> Vec<Value> {
        let reader = reader(file);
        let rows = reader.get_row_iter(None).unwrap();
        rows.map(|row| object(&row.unwrap())).collect()
    }

    fn object(row: &Row) -> Value {
        let columns = row.get_column_iter();
        let members = columns.map(|(name, field)| {
            let value = match field {
                Field::Null => Value::Null,
                Field::Bool(value) => Value::from(*value),
                Field::Long(value) => Value::from(*value),
                Field::Str(value) => Value::from(value.as_str()),
                Field::Group(row) => object(row),
                other => panic!("{name}: {other:?}"),
            };
            (name.clone(), value)
        });
        Value::Object(members.collect::<Map<_, _>>())
    }

    /// Fails unless the run with these arguments has the same records in both formats; returns how many.
    fn assert_same_records(dir: &TestDir, arguments: &[&str]) -> usize {
        let formats = ["--format", "jsonl=r.jsonl", "--format", "parquet=r.parquet"];
        dir.rehref(&[arguments, &formats, &["--quiet"]].concat());
        let text = dir.read("r.jsonl");
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let lines: Vec<Value> = lines.collect();
        let rows = rows(&dir.path("r.parquet"));
        for (number, (row, line)) in rows.iter().zip(&lines).enumerate() {
            assert_eq!(row, line, "{arguments:?}: record {number}");
        }
        assert_eq!(rows.len(), lines.len(), "{arguments:?}");
        rows.len()
    }

    fn sample_site() -> TestDir {
        let dir = TestDir::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        copy_tree(&root.join("sample-site"), &dir.path("site"));
        dir
    }

    #[test]
    fn rows_are_the_records_of_json() {
        let dir = sample_site();
        for arguments in [
            &["links", "site"][..],
            &["links", "site", "--url", URL],
            &["links", "site", "--url", URL, "--only", "external"],
            &["links", "site", "--to", "no/such/page"],
            &["audit", "site"],
            &["audit", "site", "--url", URL, "--min-level", "error"],
            &["audit", "site", "--url", URL, "--only", "duplicate-id"],
        ] {
            let count = assert_same_records(&dir, arguments);
            assert!(count > 0 || arguments.contains(&"--to") || arguments.contains(&"--only"));
        }
    }

    #[test]
    fn rows_have_the_places_in_sources() {
        let dir = TestDir::with_site(&[(
            "guide/index.html",
            "<div role=main><h1 id=guide>Guide</h1><p>See <a href=../gone/#linux>the setup</a>, \
             <a href=other.html>other</a> <a href=no.html>x</a></div>",
        )]);
        let source = "# Guide\n\nSee [the setup](gone.md#linux), [other](other.html)\n";
        dir.write("docs/guide.md", source.as_bytes());
        assert_same_records(&dir, &["audit", "site", "--sources", "docs"]);
        let rows = rows(&dir.path("r.parquet"));
        let sources: Vec<&Value> = rows.iter().map(|row| &row["source"]).collect();
        assert!(sources.iter().any(|it| it["line"].is_number()), "{rows:?}");
        assert!(sources.iter().any(|it| it.is_null()), "{rows:?}");
    }

    #[test]
    fn columns_have_types() {
        let dir = sample_site();
        for command in ["links", "audit"] {
            let stdout = dir.rehref(&[command, "site", "-q", "--format", "parquet"]);
            fs::write(dir.path("out"), stdout.stdout_bytes()).unwrap();
            dir.rehref(&[command, "site", "-q", "-j1", "--format", "parquet=file"]);
            let (printed, written) = (dir.path("out"), dir.path("file"));
            assert_eq!(fs::read(&printed).unwrap(), fs::read(&written).unwrap());
            let reader = reader(&written);
            let metadata = reader.metadata().file_metadata();
            let mut schema = Vec::new();
            print_schema(&mut schema, metadata.schema());
            insta::assert_snapshot!(command, String::from_utf8(schema).unwrap());
            let pairs = metadata.key_value_metadata().unwrap().iter();
            let pairs: Vec<_> = pairs
                .map(|pair| format!("{}={}", pair.key, pair.value.as_deref().unwrap()))
                .collect();
            let tool = concat!("tool=rehref version ", env!("CARGO_PKG_VERSION"));
            let format = format!("format=rehref-{command}");
            assert_eq!(pairs, [&*format, "version=1", tool]);
        }
    }

    #[test]
    fn stdin_is_a_document() {
        let dir = TestDir::new();
        let arguments = ["links", "-", "--url", URL, "--format", "parquet=r.parquet"];
        dir.rehref_with_stdin(&arguments, b"<a href=x.html>").status(0);
        let rows = rows(&dir.path("r.parquet"));
        assert_eq!(rows[0]["target"], "https://example.org/docs/x.html");
    }

    #[test]
    fn a_file_is_replaced_when_the_new_one_is_complete() {
        let dir = TestDir::with_site(&[("a.html", "<a href=a.html>"), ("style.txt", "")]);
        dir.write("r.parquet", b"old");
        let format = ["--format", "parquet=r.parquet", "-q"];
        for command in ["links", "audit"] {
            let none = ["--include", "*.txt"];
            dir.rehref(&[&[command, "site"], &none[..], &format].concat()).status(2);
            assert_eq!(dir.read("r.parquet"), "old");
        }
        dir.rehref(&[&["links", "site"], &format[..]].concat()).status(0);
        assert_eq!(rows(&dir.path("r.parquet")).len(), 1);
        let names = fs::read_dir(dir.path("")).unwrap();
        assert_eq!(names.count(), 2, "only the site and the report");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            dir.rehref(&["links", "site", "--format", "parquet=new.parquet"]).status(0);
            let mode = |name| fs::metadata(dir.path(name)).unwrap().permissions().mode();
            dir.write("plain", b"");
            assert_eq!(mode("new.parquet"), mode("plain"));
        }
    }

    #[test]
    fn a_terminal_gets_no_parquet() {
        let dir = TestDir::with_site(&[("a.html", "<a href=a.html>")]);
        let rehref = env!("CARGO_BIN_EXE_rehref");
        for command in ["links", "audit"] {
            let run = format!("{rehref} {command} site --format parquet");
            let output = Command::new("script")
                .args(["-qec", &run, "/dev/null"])
                .current_dir(dir.path(""))
                .output();
            let Ok(output) = output else {
                println!("skipped: no script");
                return;
            };
            let printed = String::from_utf8_lossy(&output.stdout);
            assert!(printed.contains("--format parquet=FILE"), "{printed}");
            assert!(!printed.contains("PAR1"), "{printed}");
            assert_eq!(output.status.code(), Some(2));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(12)))]

        #[test]
        #[cfg_attr(windows, ignore = "the site has names that Windows cannot hold")]
        fn odd_links_are_the_same_in_both_formats(
            links in proptest::collection::vec(any::<String>(), 1..40),
            name in "[a-zäöü ='\"\t]{1,12}",
        ) {
            let quoted = |link: &String| link.replace('&', "&amp;").replace('"', "&quot;");
            let page: String = links
                .iter()
                .map(|link| format!("<a href=\"{}\"><img src={name:?} srcset=\"{link:?} 2x\">\n", quoted(link)))
                .collect();
            let dir = TestDir::with_site(&[(&format!("{name}.html"), &page), ("b.html", "<p>")]);
            for url in [&["--url", URL][..], &[]] {
                assert_same_records(&dir, &[&["links", "site"], url].concat());
                assert_same_records(&dir, &[&["audit", "site"], url].concat());
            }
        }
    }
}
