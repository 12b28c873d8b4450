//! Does reading a receipt hold to its promises, whatever it says?
#![no_main]

use deferbench_core::catalog::ToolId;
use deferbench_core::receipt::{DropReason, MacKey, Place, Receipt};
use deferbench_core_fuzz::{CATALOG, KEY};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(json) = std::str::from_utf8(data) else { return };
    let key = MacKey::new(KEY);
    // In a place of its own, and in the one that it names: so that the checks behind these are reached.
    let named = serde_json::from_str::<Receipt>(json).ok();
    let named = named.as_ref().map(|r| (r.run_id.as_str(), r.surface_key.as_str(), r.step_id.as_deref().unwrap_or("")));
    for (run, surface, step) in [Some(("run-1", "default", "s1")), named].into_iter().flatten() {
        for read_v1 in [false, true] {
            for key in [None, Some(&key)] {
                let place = Place { catalog: &CATALOG, run, surface, step, call: "c1", read_v1, key };
                check(json, place);
            }
        }
    }
});

fn check(json: &str, place: Place) {
    let Ok((receipt, tools)) = Receipt::read(json, place) else { return };
    sound(&receipt, &tools);
    assert!(receipt.schema_version == 2 || (receipt.schema_version == 1 && place.read_v1 && place.key.is_none()));
    assert_eq!(Receipt::read(&receipt.json(), place), Ok((receipt.clone(), tools.clone())));

    // Signed as the answer of one call it counts for that call, and for no other.
    let key = MacKey::new(KEY);
    let mut signed = receipt;
    signed.sign(&key, "c2");
    let signed = signed.json();
    let read = |call| Receipt::read(&signed, Place { call, key: Some(&key), ..place }).map(|(_, tools)| tools);
    match Receipt::read(&signed, Place { key: None, ..place }) {
        Ok(_) => {
            assert_eq!(read("c2"), Ok(tools));
            assert_eq!(read("c1"), Err(DropReason::BadMac));
        }
        // Version 1 has no MAC.
        Err(reason) => assert!(matches!(reason, DropReason::Malformed { .. }), "{reason}"),
    }
}

fn sound(receipt: &Receipt, tools: &[ToolId]) {
    assert_eq!(receipt.status.selects(), !tools.is_empty());
    assert_eq!(receipt.selected.len(), tools.len());
    for (at, tool) in tools.iter().enumerate() {
        assert!(tool.index() < CATALOG.len() && !tools[..at].contains(tool));
        assert_eq!(CATALOG[*tool].name(), receipt.selected[at]);
    }
}
