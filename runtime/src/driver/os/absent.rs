//! No mappings on this system.

use crate::driver::{DriverError, Protection};

/// Cannot exist.
#[derive(Debug)]
pub(in crate::driver) enum Reservation {}

impl Reservation {
    pub(in crate::driver) fn new(_: usize, _: usize) -> Result<Self, DriverError> {
        Err(DriverError::Unsupported { call: "reserve" })
    }

    pub(in crate::driver) fn base(&self) -> *mut u8 {
        match *self {}
    }

    pub(in crate::driver) fn protect(
        &self,
        _: usize,
        _: usize,
        _: Protection,
    ) -> Result<(), DriverError> {
        match *self {}
    }

    pub(in crate::driver) fn clear(&self, _: usize, _: usize) -> Result<(), DriverError> {
        match *self {}
    }

    pub(in crate::driver) fn map_file(
        &self,
        _: usize,
        _: usize,
        _: &File,
    ) -> Result<(), DriverError> {
        match *self {}
    }

    pub(in crate::driver) fn park(&self, _: usize, _: usize) -> Result<Parked, DriverError> {
        match *self {}
    }

    pub(in crate::driver) fn unpark(
        &self,
        _: usize,
        _: Parked,
    ) -> Result<(), (Parked, DriverError)> {
        match *self {}
    }
}

/// Cannot exist.
#[derive(Debug)]
pub(in crate::driver) enum Parked {}

/// Cannot exist.
#[derive(Debug)]
pub(in crate::driver) enum File {}

impl File {
    pub(in crate::driver) fn new(_: usize) -> Result<Self, DriverError> {
        Err(DriverError::Unsupported { call: "map" })
    }
}
