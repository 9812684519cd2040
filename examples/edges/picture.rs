//! Pictures in files: any PNG in, grey out.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

/// Brightness of a picture.
pub struct Picture {
    /// Rows.
    pub h: usize,
    /// Pixels in a row.
    pub w: usize,
    /// One value for each pixel, row by row, black to white in all 16 bits.
    pub luminance: Vec<u16>,
}

/// Reads a PNG: grey, colour or palette, of any depth, with alpha or without. What shows through is
/// white.
pub fn read(path: &Path) -> Result<Picture, Box<dyn Error>> {
    let mut decoder = png::Decoder::new(BufReader::new(File::open(path)?));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info()?;
    let size = reader
        .output_buffer_size()
        .ok_or("it is too large for this machine")?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size)?;
    bytes.resize(size, 0);
    let frame = reader.next_frame(&mut bytes)?;
    bytes.truncate(frame.buffer_size());

    let samples = frame.color_type.samples();
    let luminance = match frame.bit_depth {
        png::BitDepth::Sixteen => {
            let sample = |b: &[u8]| u16::from_be_bytes([b[0], b[1]]);
            luminance(&bytes, samples, 2, sample)
        }
        _ => luminance(&bytes, samples, 1, |b| u16::from(b[0]) * 257),
    };
    Ok(Picture {
        h: frame.height as usize,
        w: frame.width as usize,
        luminance,
    })
}

fn luminance(bytes: &[u8], samples: usize, size: usize, sample: impl Fn(&[u8]) -> u16) -> Vec<u16> {
    let pixels = bytes.chunks_exact(samples * size);
    pixels
        .map(|pixel| {
            let at = |k: usize| u32::from(sample(&pixel[k * size..]));
            match samples {
                1 => at(0) as u16,
                2 => over_white(at(0), at(1)),
                3 => grey([at(0), at(1), at(2)]) as u16,
                _ => over_white(grey([at(0), at(1), at(2)]), at(3)),
            }
        })
        .collect()
}

/// Brightness of a colour, by Rec. 601.
fn grey([red, green, blue]: [u32; 3]) -> u32 {
    (299 * red + 587 * green + 114 * blue + 500) / 1000
}

fn over_white(shade: u32, alpha: u32) -> u16 {
    let white = u64::from(u16::MAX);
    let (shade, alpha) = (u64::from(shade), u64::from(alpha));
    ((shade * alpha + white * (white - alpha) + white / 2) / white) as u16
}

/// Writes `h` rows of `w` grey pixels of 8 bits.
pub fn write(path: &Path, h: usize, w: usize, grey: &[u8]) -> Result<(), Box<dyn Error>> {
    let mut encoder = png::Encoder::new(
        BufWriter::new(File::create(path)?),
        w.try_into()?,
        h.try_into()?,
    );
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(grey)?;
    writer.finish()?;
    Ok(())
}
