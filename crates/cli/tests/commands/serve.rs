//! `aji serve`: its start, its end, and wrong options. `crates/web` tests the server itself.

use crate::shell::{command, refused};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn wrong_options_are_refused() {
    refused(&["serve", "--memory", "1MB"], "expected at least 16MB");
    refused(&["serve", "--port", "99999"], "--port");
    refused(&["serve", "--threads", "0"], "--threads");
    refused(&["serve", "--address", "here"], "--address");
}

#[test]
#[cfg(target_os = "linux")]
fn it_prints_its_address_and_ends_well_by_ctrl_c() {
    let mut child = command(&["serve", "--port", "0", "--memory", "50MB"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("aji starts");
    let mut line = String::new();
    let output = child.stdout.take().expect("a pipe");
    BufReader::new(output).read_line(&mut line).expect("a line");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next()).expect("an address");
    let port = address.rsplit(':').next().expect("a port");
    // A port that is taken is refused.
    refused(&["serve", "--port", port], "choose another by --port");
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(stream, "GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").expect("a request");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("an answer");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>aji workbench</title>"), "{page}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    assert_eq!(child.wait().expect("aji ends").code(), Some(0));
}
