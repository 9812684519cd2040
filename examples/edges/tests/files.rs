//! Any PNG is read; what is none gets an error.

use crate::picture::{Picture, read, write};
use crate::{On, on_files, picture};
use png::{BitDepth, ColorType};
use std::fs;
use std::path::PathBuf;

/// A file of this name in a folder of its own.
fn file(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gpu-graph-edges-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// Writes and reads two pixels.
fn pixels(color: ColorType, depth: BitDepth, bytes: &[u8]) -> Vec<u16> {
    let path = file(&format!("{color:?}-{depth:?}.png"));
    let mut encoder = png::Encoder::new(fs::File::create(&path).unwrap(), 2, 1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(vec![255, 0, 0, 0, 0, 255]);
        encoder.set_trns(vec![255, 0]);
    }
    encoder
        .write_header()
        .unwrap()
        .write_image_data(bytes)
        .unwrap();
    let Picture { h, w, luminance } = read(&path).unwrap();
    assert_eq!((h, w), (1, 2));
    luminance
}

#[test]
fn of_every_kind() {
    use BitDepth::*;
    use ColorType::*;
    let white = u16::MAX;
    assert_eq!(pixels(Grayscale, One, &[0b0100_0000]), [0, white]);
    assert_eq!(
        pixels(Grayscale, Two, &[0b0110_0000]),
        [white / 3, white / 3 * 2]
    );
    assert_eq!(pixels(Grayscale, Four, &[0x2f]), [white / 15 * 2, white]);
    assert_eq!(pixels(Grayscale, Eight, &[7, 255]), [7 * 257, white]);
    assert_eq!(pixels(Grayscale, Sixteen, &[1, 2, 3, 4]), [0x0102, 0x0304]);
    assert_eq!(
        pixels(GrayscaleAlpha, Eight, &[9, 255, 9, 0]),
        [9 * 257, white]
    );
    assert_eq!(
        pixels(GrayscaleAlpha, Sixteen, &[1, 2, 255, 255, 0, 0, 127, 255]),
        [0x0102, 0x8000]
    );
    let (red, green) = (19_595, 38_469);
    assert_eq!(pixels(Rgb, Eight, &[255, 0, 0, 0, 255, 0]), [red, green]);
    assert_eq!(
        pixels(Rgb, Sixteen, &[255, 255, 0, 0, 0, 0, 1, 2, 1, 2, 1, 2]),
        [red, 0x0102]
    );
    assert_eq!(
        pixels(Rgba, Eight, &[0, 255, 0, 255, 3, 3, 3, 0]),
        [green, white]
    );
    let half_black = [255, 255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 127, 255];
    assert_eq!(pixels(Rgba, Sixteen, &half_black), [red, 0x8000]);
    assert_eq!(pixels(Indexed, One, &[0b0100_0000]), [red, white]);
    assert_eq!(pixels(Indexed, Eight, &[0, 1]), [red, white]);
}

#[test]
fn what_is_written_can_be_read() {
    let path = file("written.png");
    write(&path, 2, 3, &[0, 50, 100, 150, 200, 255]).unwrap();
    let picture = picture::read(&path).unwrap();
    assert_eq!((picture.h, picture.w), (2, 3));
    assert_eq!(
        picture.luminance,
        [0, 50, 100, 150, 200, 255].map(|grey| grey * 257)
    );
}

#[test]
fn bad_files_are_named() {
    let says = |input: &PathBuf, output: &PathBuf, begin: &str| {
        let error = on_files(On::Host, input, output).unwrap_err().to_string();
        assert!(error.starts_with(begin), "{error}");
        error
    };
    let (none, bad, cut, good) = (
        file("none.png"),
        file("bad.png"),
        file("cut.png"),
        file("good.png"),
    );
    fs::write(&bad, "no picture").unwrap();
    write(&good, 40, 40, &[90; 1600]).unwrap();
    let bytes = fs::read(&good).unwrap();
    fs::write(&cut, &bytes[..bytes.len() - 20]).unwrap();
    let out = file("out.png");

    let input = |path: &PathBuf| format!("cannot read {}: ", path.display());
    says(&none, &out, &input(&none));
    says(&cut, &out, &input(&cut));
    let error = says(&bad, &out, &input(&bad));
    assert!(error.contains("PNG"), "{error}");
    let nowhere = file("no folder").join("out.png");
    says(
        &good,
        &nowhere,
        &format!("cannot write {}: ", nowhere.display()),
    );
    on_files(On::Host, &good, &out).unwrap();
}
