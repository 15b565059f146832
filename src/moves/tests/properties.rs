use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::fuzzing::lists::is_possible;

/// One of few names, so that requests collide.
fn name() -> impl Strategy<Value = String> {
    select(vec!["a", "A", "b", "c"]).prop_map(str::to_owned)
}

fn path() -> impl Strategy<Value = String> {
    proptest::collection::vec(name(), 1..4).prop_map(|names| names.join("/"))
}

fn small_tree() -> impl Strategy<Value = Vec<Entry>> {
    let path = (path(), select(vec!["", "", "", "/", "@"]));
    proptest::collection::vec(path, 1..9).prop_map(|paths| {
        let mut accepted: Vec<String> = Vec::new();
        let is_below = |path: &str, folder: &str| Path::new(path).starts_with(folder);
        let plain = |path: &str| path.trim_end_matches(['/', '@']).to_owned();
        for (path, mark) in paths {
            let fits = |other: &String| {
                let folder = other.ends_with('/');
                (folder || !is_below(&path, &plain(other)))
                    && (mark == "/" || !is_below(&plain(other), &path))
            };
            if accepted.iter().all(fits) {
                accepted.push(path + mark);
            }
        }
        tree(accepted.iter().map(String::as_str))
    })
}

fn request() -> impl Strategy<Value = String> {
    let ending = select(vec!["", "", "", "/"]);
    prop_oneof![
        8 => (path(), path(), ending).prop_map(|(old, new, end)| format!("{old}={new}{end}")),
        1 => select(vec![
            "a=../b", "a=.", ".=a", "regex:a/(.*)=b/$1", "regex:(.*)/b=$1", "regex:(.)/(.*)=$2/$1",
            "regex:(.)=$1/$1", "regex:.*/(.)=$1",
        ]).prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_plan_can_be_carried_out(
        entries in small_tree(),
        wanted in proptest::collection::vec(request(), 0..4),
        ignores_case in any::<bool>(),
    ) {
        let wanted = requests(wanted.iter().map(String::as_str));
        match plan(&entries, &wanted, ignores_case) {
            Ok(moves) => is_possible(&entries, &moves, ignores_case),
            Err(refusals) => prop_assert!(!refusals.is_empty()),
        }
    }

    #[test]
    fn a_plan_with_existing_sources_and_targets_can_be_carried_out(
        entries in small_tree(),
        picks in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..5),
    ) {
        let path = |pick: &prop::sample::Index| pick.get(&entries).path.to_string_lossy().into_owned();
        let wanted: Vec<String> = picks.iter().map(|(old, new)| format!("{}={}", path(old), path(new))).collect();
        if let Ok(moves) = plan(&entries, &requests(wanted.iter().map(String::as_str)), false) {
            is_possible(&entries, &moves, false);
        }
    }

    #[test]
    fn any_permutation_of_the_files_is_possible(
        (entries, order) in small_tree().prop_flat_map(|entries| {
            let files: Vec<PathBuf> = entries
                .iter()
                .filter(|it| it.kind != EntryKind::Directory)
                .map(|it| it.path.clone())
                .collect();
            (Just(entries), Just(files).prop_shuffle())
        }),
    ) {
        let files = entries.iter().filter(|it| it.kind != EntryKind::Directory);
        let lines: Vec<String> = files
            .zip(&order)
            .map(|(old, new)| format!("{}\t{}\n", old.path.display(), new.display()))
            .collect();
        let wanted = Request::map("map", lines.concat().as_bytes()).unwrap();
        let moves = plan(&entries, &wanted, false).unwrap();
        is_possible(&entries, &moves, false);
        prop_assert_eq!(moves.directories(&entries).len(), entries.len() - order.len());
    }
}
