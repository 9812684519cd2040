//! 08xx: facts that are not known.

use super::{BLOCKED, Fault};
use crate::model::Site;

/// Nothing can be proved before `what` is known, such as "the size bound of `ws`". `site` is where
/// it is said to be unknown; the caller adds how to say what it is.
pub fn blocked(site: Site, what: &str) -> Fault {
    Fault::new(BLOCKED, site, format!("the plan is blocked on {what}"))
        .note("what is not known is not taken for safe")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_named() {
        let fault = blocked(Site(3), "the size bound of `ws`");
        assert_eq!((fault.code, fault.site), (BLOCKED, Site(3)));
        assert_eq!(
            fault.message,
            "the plan is blocked on the size bound of `ws`"
        );
    }
}
