//! A model is read, or it is said what is wrong with it.

use super::sample;
use crate::file::FileError;
use crate::graph::*;
use crate::model::{BYTES, Model, read};

fn refused(name: &str, bytes: &[u8]) -> (FileError, String) {
    let path = sample::file(name, bytes);
    let error = read(&path).err().expect("the file is refused");
    let text = error.to_string();
    let short = text.replace(&*path.to_string_lossy(), "FILE");
    (error, short)
}

#[test]
fn a_model_is_cut_into_its_weights() {
    let bytes = sample::model();
    let floats: Vec<f32> = sample::noise(7).take(BYTES / 4 - 7).collect();
    let Model {
        embedding,
        att_norm,
        wqkv,
        wo,
        ffn_norm,
        w13,
        w2,
        last_norm,
        classifier,
    } = read(&sample::file("whole.bin", &bytes)).unwrap();
    assert_eq!(embedding, &floats[..VOCAB * DIM]);
    assert_eq!(att_norm, &floats[VOCAB * DIM..][..LAYERS * DIM]);
    let wq = &floats[VOCAB * DIM + LAYERS * DIM..];
    let [wk, wv, out] = [DIM, QKV - KV, QKV].map(|rows| &wq[LAYERS * rows * DIM..]);
    // Row 1 of the queries, row 2 of the keys and row 3 of the values of layer 4, all in bands of 32.
    let layer = &wqkv[4 * QKV * DIM..];
    for j in 0..DIM {
        assert_eq!(layer[32 * j + 1], wq[(4 * DIM + 1) * DIM + j]);
        assert_eq!(layer[64 * DIM + 32 * j + 2], wk[(4 * KV + 2) * DIM + j]);
        assert_eq!(layer[96 * DIM + 32 * j + 3], wv[(4 * KV + 3) * DIM + j]);
        assert_eq!(wo[32 * j], out[j]);
    }
    let ffn = &out[LAYERS * DIM * DIM..];
    assert_eq!(ffn_norm, &ffn[..LAYERS * DIM]);
    let [w1, down, up] = [0, 1, 2].map(|i| &ffn[LAYERS * DIM * (1 + i * HIDDEN)..]);
    // The last band of a layer has eight rows.
    let last = &w13[(4 * 2 * HIDDEN + 336) * DIM..];
    for j in 0..DIM {
        assert_eq!(w13[32 * j], w1[j]);
        assert_eq!(last[8 * j + 7], up[(4 * HIDDEN + 171) * DIM + j]);
    }
    assert_eq!(w2[32 * (HIDDEN - 1)], down[HIDDEN - 1]);
    assert_eq!(last_norm, &up[LAYERS * HIDDEN * DIM..][..DIM]);
    assert_eq!(classifier[32 * 5 + 3], embedding[3 * DIM + 5]);
}

#[test]
fn every_field_of_the_header_counts() {
    let names = [
        "dim",
        "hidden dim",
        "layers",
        "heads",
        "kv heads",
        "vocabulary size",
        "sequence length",
    ];
    for (i, (name, expected)) in names.into_iter().zip(sample::HEADER).enumerate() {
        let mut bytes = sample::model();
        let other = -(expected as i32);
        bytes[4 * i..][..4].copy_from_slice(&other.to_le_bytes());
        let (error, text) = refused("field.bin", &bytes);
        assert!(
            matches!(&error, FileError::Field { field, found, expected: e, .. }
                if field == name && *found == other && *e == expected),
            "{error:?}"
        );
        assert_eq!(
            text,
            format!("`FILE`: {name} is {other}, expected {expected}")
        );
    }
}

#[test]
fn a_foreign_file_is_refused_by_its_first_field() {
    let (_, text) = refused("foreign.bin", b"\x89PNG\r\n\x1a\n and so on");
    assert_eq!(text, "`FILE`: dim is 1196314761, expected 64");
}

#[test]
fn a_missing_file_is_named() {
    let path = sample::file("beside.bin", &sample::model()).with_file_name("missing.bin");
    let error = read(&path).err().expect("there is none");
    assert!(matches!(error, FileError::Unreadable { .. }));
    let start = format!("cannot read `{}`: ", path.display());
    assert!(error.to_string().starts_with(&start), "{error}");
}

#[test]
fn a_file_that_is_too_short_or_too_long_is_refused() {
    let bytes = sample::model();
    for (bytes, text) in [
        (&bytes[..0], "`FILE` ends after 0 bytes, within dim"),
        (
            &bytes[..27],
            "`FILE` ends after 27 bytes, within sequence length",
        ),
        (&bytes[..28], "`FILE` has 28 bytes, expected 1056540"),
        (
            &bytes[..BYTES - 1],
            "`FILE` has 1056539 bytes, expected 1056540",
        ),
        (
            &[&bytes[..], &[0]].concat(),
            "`FILE` has 1056541 bytes, expected 1056540",
        ),
    ] {
        assert_eq!(refused("length.bin", bytes).1, text);
    }
}
