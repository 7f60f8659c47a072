// SPDX-License-Identifier: GPL-2.0-or-later

//! locks SECONDS: four threads that all want one mutex, under which each computes for 1 ms, and then 0.1 ms without.
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

fn burn(duration: Duration) {
    let end = Instant::now() + duration;
    while Instant::now() < end {}
}

fn main() {
    let seconds: f64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mutex = Arc::new(Mutex::new(()));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let mutex = Arc::clone(&mutex);
            thread::spawn(move || {
                while Instant::now() < end {
                    let held = mutex.lock().unwrap();
                    burn(Duration::from_millis(1));
                    drop(held);
                    burn(Duration::from_micros(100));
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
