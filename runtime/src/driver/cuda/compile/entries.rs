//! The functions of an image that a driver can launch, read from the image.
//!
//! A compiler is content with a text that has no such function, or one of another name: C++ gives those
//! that are not `extern "C"` names of its own.

use std::collections::BTreeSet;

/// Says in a binary's header that it is for a GPU of NVIDIA's.
const CUDA: u16 = 190;
/// The type of a section with symbols.
const SYMBOLS: u32 = 2;
/// The type of a symbol that is a function.
const FUNCTION: u8 = 2;
/// What marks a function that is launched, beside those that are called.
const ENTRY: u8 = 0x10;

/// Their names; `None` of what is neither a binary for one architecture nor PTX.
pub fn entries(image: &[u8]) -> Option<BTreeSet<String>> {
    match image.starts_with(b"\x7fELF") {
        true => of_binary(image),
        false => of_text(&String::from_utf8_lossy(image)),
    }
}

/// A name stands behind `.entry`, and parameters in parentheses behind that.
fn of_text(text: &str) -> Option<BTreeSet<String>> {
    let code = text.lines().filter_map(|line| line.split("//").next());
    let parts = |c: char| c.is_whitespace() || c == '(' || c == ')';
    let mut words = code.flat_map(|line| line.split(parts).filter(|word| !word.is_empty()));
    // Each PTX begins with its version.
    words.next().filter(|first| *first == ".version")?;
    let mut found = BTreeSet::new();
    while let Some(word) = words.next() {
        if word == ".entry" {
            found.extend(words.next().map(str::to_owned));
        }
    }
    Some(found)
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn half(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_le_bytes(number(bytes, at)?)))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(number(bytes, at)?))
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u64::from_le_bytes(number(bytes, at)?)).ok()
}

/// Where a section's content is: its header has the offset and the length.
fn content<'a>(all: &'a [u8], section: &[u8]) -> Option<&'a [u8]> {
    let (at, bytes) = (long(section, 0x18)?, long(section, 0x20)?);
    all.get(at..at.checked_add(bytes)?)
}

/// ELF of 64 bits: sections with symbols, each with the section that has their names.
fn of_binary(all: &[u8]) -> Option<BTreeSet<String>> {
    if all.get(4) != Some(&2) || half(all, 0x12)? != usize::from(CUDA) {
        return None;
    }
    let (at, bytes, count) = (long(all, 0x28)?, half(all, 0x3a)?, half(all, 0x3c)?);
    let section = |i: usize| {
        let at = at.checked_add(i.checked_mul(bytes)?)?;
        all.get(at..at.checked_add(bytes)?)
    };
    let mut found = BTreeSet::new();
    for i in 0..count {
        let own = section(i)?;
        if word(own, 4)? != SYMBOLS {
            continue;
        }
        let names = content(all, section(usize::try_from(word(own, 0x28)?).ok()?)?)?;
        for symbol in content(all, own)?.chunks_exact(24) {
            if symbol[4] & 15 == FUNCTION && symbol[5] & ENTRY != 0 {
                let name = names.get(usize::try_from(word(symbol, 0)?).ok()?..)?;
                let name = name.split(|byte| *byte == 0).next()?;
                found.insert(String::from_utf8_lossy(name).into_owned());
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Option<BTreeSet<String>> {
        Some(names.iter().map(|&name| name.to_owned()).collect())
    }

    #[test]
    fn a_text_has_the_functions_that_it_says_are_entries() {
        let text = "//\n// .entry comment(\n\n.version 9.5\n.target sm_80\n\
                    .func  (.param .b32 r) helper(\n\t.param .b32 scale\n)\n{ }\n\
                    \t// .globl\tblur\n.visible .entry blur(\n\t.param .u64 x\n)\n{ ret; }\n\
                    .weak .entry\n _Z4copyPf ()\n{ }\0";
        assert_eq!(entries(text.as_bytes()), named(&["_Z4copyPf", "blur"]));
        assert_eq!(entries(b".version 9.5 // none\n"), named(&[]));
        for other in ["", "#line 1 \"a\"\n.entry x(", "\u{50}\u{ed}\u{55}\u{ba}"] {
            assert_eq!(entries(other.as_bytes()), None, "{other:?}");
        }
    }

    /// A binary with a section of symbols and one of their names.
    fn binary(symbols: &[(u32, u8, u8)], names: &[u8]) -> Vec<u8> {
        let mut all = vec![0; 64];
        all[..5].copy_from_slice(b"\x7fELF\x02");
        all[0x12..0x14].copy_from_slice(&CUDA.to_le_bytes());
        all[0x3a..0x3c].copy_from_slice(&64_u16.to_le_bytes());
        all[0x3c..0x3e].copy_from_slice(&2_u16.to_le_bytes());
        let at = all.len();
        for &(name, kind, other) in symbols {
            all.extend(name.to_le_bytes());
            all.extend([kind, other]);
            all.extend([0; 18]);
        }
        let names_at = all.len();
        all.extend(names);
        let sections = (all.len() as u64).to_le_bytes();
        all[0x28..0x30].copy_from_slice(&sections);
        for (kind, at, end, link) in [
            (2, at, names_at, 1),
            (3, names_at, names_at + names.len(), 0),
        ] {
            let mut section = [0; 64];
            section[4..8].copy_from_slice(&u32::to_le_bytes(kind));
            section[0x18..0x20].copy_from_slice(&(at as u64).to_le_bytes());
            section[0x20..0x28].copy_from_slice(&((end - at) as u64).to_le_bytes());
            section[0x28..0x2c].copy_from_slice(&u32::to_le_bytes(link));
            all.extend(section);
        }
        all
    }

    #[test]
    fn a_binary_has_the_functions_that_its_symbols_say_are_entries() {
        // A function that is launched, one that is called, and what is none.
        let symbols = [
            (1, 0x12, 0x10),
            (6, 0x12, 0),
            (13, 0x11, 0x10),
            (15, 2, 0x10),
        ];
        let whole = binary(&symbols, b"\0blur\0helper\0x\0_Z1kv\0");
        assert_eq!(entries(&whole), named(&["_Z1kv", "blur"]));
        assert_eq!(entries(&binary(&[], b"\0")), named(&[]));
        for cut in 0..whole.len() {
            assert_eq!(entries(&whole[..cut]), None, "cut at {cut}");
        }
        let mut other = whole.clone();
        other[0x12] = 62;
        assert_eq!(entries(&other), None, "it is for another machine");
        // Whatever is damaged, nothing is read that is not there.
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            let _ = entries(&damaged);
        }
    }
}
