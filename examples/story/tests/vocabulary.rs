//! Text becomes tokens, and tokens text.

use super::sample;
use crate::vocabulary::Vocabulary;

/// Tokens 259 and following.
const TEXTS: [(&str, f32); 9] = [
    (" ", -1.0),
    ("a", -2.0),
    ("b", -3.0),
    ("c", -4.0),
    ("ab", -20.0),
    ("bc", -10.0),
    (" a", -30.0),
    ("abc", -40.0),
    ("é", -5.0),
];
const SPACE: u32 = 259;
const A: u32 = 260;
const B: u32 = 261;
const BC: u32 = 264;
const ABC: u32 = 266;
const E_ACUTE: u32 = 267;

fn small(name: &str) -> Vocabulary {
    Vocabulary::read(&sample::file(name, &sample::vocabulary(&TEXTS))).unwrap()
}

#[test]
fn the_pair_of_the_best_score_is_merged_first() {
    let words = small("encode.bin");
    assert_eq!(words.encode(""), [1]);
    assert_eq!(words.encode("b"), [1, SPACE, B]);
    assert_eq!(words.encode("a"), [1, 265]);
    // `bc` goes before `ab` and ` a`, and then ` a` before `abc`.
    assert_eq!(words.encode("abc"), [1, 265, BC]);
    assert_eq!(words.encode("babc"), [1, SPACE, B, ABC]);
}

#[test]
fn what_has_no_token_is_encoded_byte_by_byte() {
    let words = small("bytes.bin");
    assert_eq!(words.encode("éü"), [1, SPACE, E_ACUTE, 3 + 0xc3, 3 + 0xbc]);
}

#[test]
fn tokens_are_printed_as_text() {
    let words = small("decode.bin");
    assert_eq!(words.decode(A, ABC), b"abc");
    assert_eq!(words.decode(A, 265), b" a");
    // No space at the beginning of a story.
    assert_eq!(words.decode(1, 265), b"a");
    let byte = |byte: u8| words.decode(A, 3 + u32::from(byte));
    assert_eq!(
        (byte(b'\n'), byte(b'~'), byte(b' ')),
        (&b"\n"[..], &b"~"[..], &b" "[..])
    );
    for unseen in [0, 7, 0x7f, 0xc3] {
        assert_eq!(byte(unseen), b"");
    }
}

#[test]
fn a_broken_file_is_refused_where_it_breaks() {
    let whole = sample::vocabulary(&TEXTS);
    let mut negative = whole.clone();
    negative[8..12].copy_from_slice(&(-1_i32).to_le_bytes());
    let len = whole.len();
    for (bytes, text) in [
        (
            &whole[..3],
            "ends after 3 bytes, within the length of the longest token".to_owned(),
        ),
        (
            &whole[..6],
            "ends after 6 bytes, within the score of token 0".to_owned(),
        ),
        (
            &whole[..10],
            "ends after 10 bytes, within the length of token 0".to_owned(),
        ),
        (
            &negative,
            format!("ends after {len} bytes, within the text of token 0"),
        ),
        (
            &whole[..len - 1],
            format!("ends after {} bytes, within the text of token 511", len - 1),
        ),
        (
            &[&whole[..], b"x"].concat(),
            format!("has {} bytes, expected {len}", len + 1),
        ),
    ] {
        let path = sample::file("broken.bin", bytes);
        let error = Vocabulary::read(&path).err().expect("the file is refused");
        assert_eq!(error.to_string(), format!("`{}` {text}", path.display()));
    }
}
