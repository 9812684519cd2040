//! Browsers of this machine: which there are, and how each is made to measure a page.

use std::env;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::graphs;

/// How a browser is told what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// It prints what has become of a page.
    Chromium,
    /// It prints nothing, so that the page has to go to where somebody listens.
    Firefox,
}

/// What browsers are called, and which belong together.
pub const NAMES: [(&str, Family); 11] = [
    ("chromium", Family::Chromium),
    ("chromium-browser", Family::Chromium),
    ("google-chrome-stable", Family::Chromium),
    ("google-chrome", Family::Chromium),
    ("chrome", Family::Chromium),
    ("headless_shell", Family::Chromium),
    ("microsoft-edge-stable", Family::Chromium),
    ("microsoft-edge", Family::Chromium),
    ("firefox", Family::Firefox),
    ("firefox-esr", Family::Firefox),
    ("firefox-bin", Family::Firefox),
];

/// How long a browser may take with one page.
const PATIENCE: Duration = Duration::from_secs(90);

/// What the page is asked to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    Light,
    Dark,
}

/// How the page is looked at.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub scheme: Scheme,
    /// Pixels of the window.
    pub width: u32,
}

/// A browser that is there.
pub struct Browser {
    program: PathBuf,
    family: Family,
}

/// The first of each family that is in the path and starts.
pub fn found() -> Vec<Browser> {
    let path = env::var_os("PATH").unwrap_or_default();
    let all = NAMES.iter().flat_map(|(name, family)| {
        let folders: Vec<PathBuf> = env::split_paths(&path).collect();
        folders.into_iter().map(move |folder| Browser {
            program: folder.join(name),
            family: *family,
        })
    });
    let mut found: Vec<Browser> = Vec::new();
    for browser in all.filter(|browser| browser.program.is_file()) {
        if found.iter().all(|other| other.family != browser.family) {
            match browser.starts() {
                true => found.push(browser),
                false => graphs::say(&format!("{} is here and does not start", browser.name())),
            }
        }
    }
    found
}

impl Browser {
    pub fn name(&self) -> String {
        self.program.display().to_string()
    }

    fn starts(&self) -> bool {
        let view = View {
            scheme: Scheme::Light,
            width: 800,
        };
        let file = graphs::scratch("start").join("start.html");
        let found = self.measure(view, &|port| {
            let script = format!(
                "document.documentElement.dataset.probe = '7'; if ({port}) location.href = 'http://127.0.0.1:{port}/?7';"
            );
            fs::write(&file, format!("<!doctype html><script>{script}</script>")).unwrap();
            format!("file://{}", file.display())
        });
        found == Ok(Value::from(7))
    }

    /// What the script of a page has measured: `page` writes it for a port on which somebody listens, or
    /// for 0, and says where it is.
    pub fn measure(&self, view: View, page: &dyn Fn(u16) -> String) -> Result<Value, String> {
        // What another browser, or another run of it, left there would be found again.
        let profile = graphs::scratch(&format!("profile-{}", std::process::id()));
        let answer = match self.family {
            Family::Chromium => self.chromium(view, &profile, &page(0)),
            Family::Firefox => self.firefox(view, &profile, page),
        };
        let _ = fs::remove_dir_all(&profile);
        let text = decoded(&answer?);
        serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))
    }

    fn chromium(&self, view: View, profile: &Path, page: &str) -> Result<String, String> {
        let mut command = Command::new(&self.program);
        let scheme = match view.scheme {
            Scheme::Dark => 0,
            Scheme::Light => 1,
        };
        command.args(["--headless", "--no-sandbox", "--disable-gpu"]);
        command.args(["--disable-dev-shm-usage", "--enable-logging=stderr"]);
        // Nothing is to be found outside.
        command.arg("--host-resolver-rules=MAP * ~NOTFOUND");
        command.arg(format!("--blink-settings=preferredColorScheme={scheme}"));
        command.arg(format!("--window-size={},900", view.width));
        command.arg(format!("--user-data-dir={}", profile.display()));
        command.args(["--virtual-time-budget=20000", "--dump-dom", page]);
        let output = command.output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr);
        let dom = String::from_utf8_lossy(&output.stdout);
        // Messages of a page, among them what its policy forbids.
        let mut said = said.lines().filter(|line| line.contains("CONSOLE"));
        if let Some(line) = said.next() {
            return Err(line.to_owned());
        }
        let (_, found) = dom
            .split_once(" data-probe=\"")
            .ok_or("it measured nothing")?;
        Ok(found.split('"').next().unwrap_or_default().to_owned())
    }

    fn firefox(
        &self,
        view: View,
        profile: &Path,
        page: &dyn Fn(u16) -> String,
    ) -> Result<String, String> {
        let scheme = match view.scheme {
            Scheme::Dark => 0,
            Scheme::Light => 1,
        };
        // All but this machine is behind a proxy that is not there.
        let settings = format!(
            "user_pref(\"layout.css.prefers-color-scheme.content-override\", {scheme});
            user_pref(\"network.proxy.type\", 1);
            user_pref(\"network.proxy.http\", \"127.0.0.1\");
            user_pref(\"network.proxy.http_port\", 9);
            user_pref(\"network.proxy.ssl\", \"127.0.0.1\");
            user_pref(\"network.proxy.ssl_port\", 9);
            user_pref(\"network.captive-portal-service.enabled\", false);
            user_pref(\"browser.shell.checkDefaultBrowser\", false);
            user_pref(\"datareporting.policy.dataSubmissionEnabled\", false);
            user_pref(\"toolkit.telemetry.enabled\", false);"
        );
        let told = |error: std::io::Error| error.to_string();
        fs::write(profile.join("user.js"), settings).map_err(told)?;
        let listener = TcpListener::bind("127.0.0.1:0").map_err(told)?;
        listener.set_nonblocking(true).map_err(told)?;
        let port = listener.local_addr().map_err(told)?.port();
        let mut command = Command::new(&self.program);
        command.args(["--headless", "--no-remote", "--profile"]);
        command.arg(profile).arg("--width");
        command
            .arg(view.width.to_string())
            .args(["--height", "900"]);
        command.arg(page(port));
        command.env("MOZ_HEADLESS_WIDTH", view.width.to_string());
        command.env("MOZ_HEADLESS_HEIGHT", "900");
        command.env("HOME", profile);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(told)?;
        let answer = answered(&listener);
        let _ = child.kill();
        let _ = child.wait();
        answer
    }
}

/// What is asked for first behind the mark of a query.
fn answered(listener: &TcpListener) -> Result<String, String> {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        match listener.accept() {
            Ok((stream, _)) => {
                if let Some(found) = query(stream) {
                    return Ok(found);
                }
            }
            Err(_) => sleep(Duration::from_millis(20)),
        }
    }
    Err("it measured nothing in time".to_owned())
}

fn query(mut stream: TcpStream) -> Option<String> {
    stream.set_nonblocking(false).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let (mut asked, mut part) = (Vec::new(), [0; 4096]);
    while !asked.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut part) {
            Ok(1..) if asked.len() > 1 << 24 => return None,
            Ok(n @ 1..) => asked.extend(&part[..n]),
            _ => return None,
        }
    }
    let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    let asked = String::from_utf8(asked).ok()?;
    let (_, found) = asked.lines().next()?.split_once('?')?;
    Some(found.split(' ').next()?.to_owned())
}

/// Text in which bytes stand as `%41`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = behind
            .get(..2)
            .and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match (first, code) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            _ => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
