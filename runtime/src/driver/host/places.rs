//! What outlives the driver where its streams still use it.

use std::sync::{Arc, Mutex};

use super::super::os::Reservation;
use super::super::pool::{Place, Pool};
use super::super::spaces::Spaces;
use super::stream::Done;

/// All storage of a device: lives until the driver and every stream's thread are gone.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) spaces: Mutex<Spaces>,
    pub(super) pool: Mutex<Pool<Reservation, Arc<Done>>>,
}

impl Place for Reservation {
    fn base(&self) -> *mut u8 {
        Self::base(self)
    }
}
