//! Fragments: which are there, which scripts serve, which are broken.

use super::found;
use crate::support::TestDir;

#[test]
fn behaviours_that_browsers_had_built_in() {
    let dir = TestDir::with_site(&[(
        "index.html",
        "<style>v\\:* { behavior: url(#default#VML) } a { filter: url(#gone) }</style>\
         <!--[if gte mso 9]><style>o\\:* { behavior: url(#default#VML) }</style><![endif]-->\
         <p style='behavior:url(#Default#userData)'>",
    )]);
    assert_eq!(found(&dir, &[]), ["index.html:1:61 broken-fragment #gone"]);
}
