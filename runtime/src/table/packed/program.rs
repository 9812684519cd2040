//! The tables of a program, read back.

use crate::table::{Form, HostOp, Op, Slot};

/// Slots: offset, bytes.
pub const fn slots<const N: usize>(packed: &[(u64, u64); N]) -> [Slot; N] {
    let mut out = [Slot {
        offset: 0,
        bytes: 0,
    }; N];
    let mut i = 0;
    while i < N {
        let (slot, from) = (&mut out[i], &packed[i]);
        slot.offset = from.0;
        slot.bytes = from.1;
        i += 1;
    }
    out
}

/// Ops of a run.
pub const fn ops<const N: usize>(packed: &[u64; N]) -> [Op; N] {
    let mut out = [Op::Gate { event: 0 }; N];
    let mut i = 0;
    while i < N {
        let bits = packed[i];
        out[i] = match bits & 7 {
            0 => Op::Gate {
                event: (bits >> 8) as u32,
            },
            1 if bits & 0x80 == 0 => Op::Launch {
                task: (bits >> 8) as u32,
                stream: (bits >> 3 & 15) as u8,
                form: Form::Apart,
            },
            1 => Op::Launch {
                task: (bits >> 8) as u32,
                stream: (bits >> 3 & 15) as u8,
                form: Form::InPlace,
            },
            2 => Op::Record {
                event: (bits >> 8) as u32,
                stream: (bits >> 3 & 15) as u8,
            },
            3 => Op::Wait {
                event: (bits >> 8) as u32,
                stream: (bits >> 3 & 15) as u8,
            },
            4 => Op::WaitPrev {
                event: (bits >> 8) as u32,
                stream: (bits >> 3 & 15) as u8,
            },
            5 => Op::Acquire {
                resource: (bits >> 8) as u32,
            },
            _ => Op::Release {
                resource: (bits >> 8) as u32,
            },
        };
        i += 1;
    }
    out
}

/// What the host does after a run.
pub const fn host_ops<const N: usize>(packed: &[u64; N]) -> [HostOp; N] {
    let mut out = [HostOp::Wait { event: 0 }; N];
    let mut i = 0;
    while i < N {
        let index = (packed[i] >> 1) as u32;
        out[i] = if packed[i] & 1 == 0 {
            HostOp::Wait { event: index }
        } else {
            HostOp::Read { resource: index }
        };
        i += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_keep_stream_form_and_index() {
        let [a, b, c] = ops(&[9 << 8, 3 << 8 | 0x80 | 15 << 3 | 1, 4 << 8 | 2 << 3 | 3]);
        assert_eq!(a, Op::Gate { event: 9 });
        assert!(
            matches!(
                b,
                Op::Launch {
                    task: 3,
                    stream: 15,
                    form: Form::InPlace
                }
            ),
            "{b:?}"
        );
        assert_eq!(
            c,
            Op::Wait {
                stream: 2,
                event: 4
            }
        );
        assert_eq!(
            ops(&[2 << 8 | 5, 2 << 8 | 6]),
            [Op::Acquire { resource: 2 }, Op::Release { resource: 2 }]
        );
        let [wait, read] = host_ops(&[6, 7]);
        assert_eq!(
            (wait, read),
            (HostOp::Wait { event: 3 }, HostOp::Read { resource: 3 })
        );
    }
}
