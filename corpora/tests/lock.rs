//! Are the built-in corpora what `corpora.lock` says?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::path::Path;

/// A difference moves published results: `scripts/regen` writes the file again, and CHANGELOG.md says so.
#[test]
fn the_lock_holds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora.lock");
    let now = deferbench_corpora::lock::text().unwrap();
    if std::env::var_os("DEFERBENCH_UPDATE").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    let differs = now.lines().zip(kept.lines()).find(|(a, b)| a != b);
    assert_eq!(differs, None, "a built-in corpus changed: run scripts/regen and look at the difference");
    assert_eq!(now, kept);
}
