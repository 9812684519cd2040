//! What is kept is found, and what is damaged, foreign or too much is not.

use std::time::{Duration, SystemTime};

use super::*;

/// A folder of the test's own.
fn folder(name: &str) -> Folder {
    let path = std::env::temp_dir().join(format!("gpu-graph-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    Folder::from(path)
}

fn key(of: &[u8]) -> Key {
    Key {
        of: of.to_vec(),
        toolkit: Vec::new(),
        version: Some((13, 5)),
    }
}

#[test]
fn what_is_kept_is_found_again_for_the_same_source_and_version_alone() {
    let folder = folder("kept");
    let own = key(b"text");
    assert_eq!(find(&folder, &own), None);
    keep(&folder, &own, b"image").unwrap();
    assert_eq!(find(&folder, &own).as_deref(), Some(&b"image"[..]));
    assert_eq!(find(&folder, &key(b"text2")), None);
    let newer = Key {
        version: Some((13, 6)),
        ..key(b"text")
    };
    assert_eq!(find(&folder, &newer), None);
    keep(&folder, &newer, b"newer").unwrap();
    // Without a compiler the newest one is taken.
    let none = Key {
        version: None,
        ..key(b"text")
    };
    assert_eq!(find(&folder, &none).as_deref(), Some(&b"newer"[..]));
    fs::remove_dir_all(&folder.path).unwrap();
}

#[test]
fn a_torn_or_damaged_entry_is_none_and_is_written_anew() {
    let folder = folder("torn");
    let own = key(b"some text of kernels");
    keep(&folder, &own, b"the image").unwrap();
    let path = folder.path.join(own.name((13, 5)));
    let whole = fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        assert_eq!(find(&folder, &own), None, "cut at {cut}");
    }
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, &damaged).unwrap();
        assert_eq!(find(&folder, &own), None, "damaged at {at}");
    }
    fs::write(&path, [&whole[..], b"more"].concat()).unwrap();
    assert_eq!(find(&folder, &own), None);
    keep(&folder, &own, b"the image").unwrap();
    assert_eq!(find(&folder, &own).as_deref(), Some(&b"the image"[..]));
    assert_eq!(
        fs::read_dir(&folder.path).unwrap().count(),
        1,
        "nothing is left beside it"
    );
    fs::remove_dir_all(&folder.path).unwrap();
}

#[test]
fn entries_of_one_name_are_told_apart_by_what_they_were_made_from() {
    let folder = folder("apart");
    let (own, other) = (key(b"one"), key(b"two"));
    keep(&folder, &own, b"1").unwrap();
    fs::rename(
        folder.path.join(own.name((13, 5))),
        folder.path.join(other.name((13, 5))),
    )
    .unwrap();
    assert_eq!(find(&folder, &other), None);
    fs::remove_dir_all(&folder.path).unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_is_left_alone() {
    let folder = folder("file");
    fs::write(&folder.path, b"not a folder").unwrap();
    let kept = keep(&folder, &key(b"text"), b"image");
    assert_eq!(kept, Err("it is a file".to_owned()));
    assert_eq!(find(&folder, &key(b"text")), None);
    let beneath = Folder::from(folder.path.join("beneath"));
    let why = keep(&beneath, &key(b"text"), b"image").expect_err("there is no folder");
    assert!(why.contains("os error"), "{why}");
    fs::remove_file(&folder.path).unwrap();
}

#[test]
fn where_headers_are_found_matters_to_a_compiler_alone() {
    let folder = folder("toolkit");
    let at = |toolkit: &[u8], version| Key {
        toolkit: toolkit.to_vec(),
        version,
        ..key(b"text")
    };
    let version = Some((13, 5));
    keep(&folder, &at(b"here", version), b"image").unwrap();
    assert_eq!(find(&folder, &at(b"there", version)), None);
    for (toolkit, version) in [(&b"here"[..], version), (b"there", None), (b"", None)] {
        let found = find(&folder, &at(toolkit, version));
        assert_eq!(found.as_deref(), Some(&b"image"[..]));
    }
    fs::remove_dir_all(&folder.path).unwrap();
}

/// Keys of images of as many bytes each, with what they have.
fn several(count: u8) -> Vec<(Key, Vec<u8>)> {
    (0..count).map(|i| (key(&[i]), vec![i; 1000])).collect()
}

/// Those that are kept, by number; to ask does not use them.
fn kept(folder: &Folder, all: &[(Key, Vec<u8>)]) -> Vec<usize> {
    let there = |key: &Key| folder.path.join(key.name((13, 5))).exists();
    (0..all.len()).filter(|&i| there(&all[i].0)).collect()
}

fn modified(path: &Path, then: SystemTime) {
    let file = fs::File::options().write(true).open(path);
    file.unwrap().set_modified(then).unwrap();
}

/// Says that an image was used so many minutes ago.
fn aged(folder: &Folder, key: &Key, minutes: u64) {
    let then = SystemTime::now() - Duration::from_secs(60 * minutes);
    modified(&folder.path.join(key.name((13, 5))), then);
}

#[test]
fn what_was_used_least_recently_goes_first_and_as_much_as_has_to() {
    let mut folder = folder("evicted");
    let all = several(6);
    for (i, (key, image)) in all.iter().enumerate() {
        keep(&folder, key, image).unwrap();
        aged(&folder, key, 60 - i as u64);
    }
    // Without a bound all of them stay.
    evict(&folder);
    assert_eq!(kept(&folder, &all), [0, 1, 2, 3, 4, 5]);
    // The oldest one is used.
    assert_eq!(find(&folder, &all[0].0).as_ref(), Some(&all[0].1));
    let one = fs::metadata(folder.path.join(all[0].0.name((13, 5))));
    let one = one.unwrap().len();
    folder.most = Some(3 * one);
    evict(&folder);
    assert_eq!(kept(&folder, &all), [0, 4, 5]);
    folder.most = Some(3 * one - 1);
    evict(&folder);
    assert_eq!(kept(&folder, &all), [0, 5]);
    for i in [0, 5] {
        assert_eq!(find(&folder, &all[i].0).as_ref(), Some(&all[i].1));
    }
    // What is more than all of the room is not kept, and nothing goes for it.
    folder.most = Some(one - 1);
    let why = keep(&folder, &all[1].0, &all[1].1);
    let said = format!("it may have {} bytes, and one has {one}", one - 1);
    assert_eq!(why, Err(said));
    assert_eq!(kept(&folder, &all), [0, 5]);
    fs::remove_dir_all(&folder.path).unwrap();
}

#[test]
fn what_somebody_else_put_there_stays_and_what_was_left_unfinished_long_ago_goes() {
    let mut folder = folder("foreign");
    let (own, image) = &several(1)[0];
    keep(&folder, own, image).unwrap();
    let stem = own.name((13, 5));
    let stem = stem.strip_suffix(".image").unwrap();
    let old = format!("{stem}.1-0-0.part");
    let files = ["notes.image", &old, &format!("{stem}.2-0-0.part"), "a.part"];
    for file in files {
        fs::write(folder.path.join(file), b"whatever").unwrap();
    }
    let long_ago = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
    for file in [&*old, "notes.image", "a.part"] {
        modified(&folder.path.join(file), long_ago);
    }
    folder.most = Some(0);
    evict(&folder);
    let left = fs::read_dir(&folder.path).unwrap();
    let mut left: Vec<_> = left.map(|e| e.unwrap().file_name()).collect();
    left.sort();
    let mut expected = ["notes.image", files[2], "a.part"];
    expected.sort();
    assert_eq!(left, expected);
    fs::remove_dir_all(&folder.path).unwrap();
}

#[test]
fn whoever_keeps_finds_and_evicts_at_once_has_the_right_image_or_none() {
    let mut folder = folder("at-once");
    let all = several(12);
    keep(&folder, &all[0].0, &all[0].1).unwrap();
    let one = fs::metadata(folder.path.join(all[0].0.name((13, 5))));
    folder.most = Some(5 * one.unwrap().len());
    let (folder, all) = (&folder, &all);
    let found: usize = std::thread::scope(|scope| {
        let spawn = |seed: usize| {
            scope.spawn(move || {
                let mut found = 0;
                for step in 0..200 {
                    let (key, image) = &all[(seed * 7 + step * (seed + 1)) % all.len()];
                    match find(folder, key) {
                        Some(kept) => {
                            assert_eq!(kept, *image);
                            found += 1;
                        }
                        None => {
                            keep(folder, key, image).unwrap();
                            evict(folder);
                        }
                    }
                }
                found
            })
        };
        let spawned: Vec<_> = (0..4).map(spawn).collect();
        spawned.into_iter().map(|one| one.join().unwrap()).sum()
    });
    assert!(found > 0);
    let bytes = fs::read_dir(&folder.path).unwrap();
    let bytes: u64 = bytes.map(|e| e.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes <= folder.most.unwrap(), "{bytes}");
    assert!(!kept(folder, all).is_empty());
    fs::remove_dir_all(&folder.path).unwrap();
}

#[test]
fn a_bound_is_a_number_of_bytes_and_whatever_else_is_said_is_none() {
    assert_eq!(most(Some(" 4096\n")), 4096);
    assert_eq!(most(Some("0")), 0);
    for said in [None, Some(""), Some("1 GiB"), Some("-1")] {
        assert_eq!(most(said), DEFAULT_BYTES);
    }
}
