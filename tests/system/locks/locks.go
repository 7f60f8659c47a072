// SPDX-License-Identifier: GPL-2.0-or-later

// locks contended SECONDS: four goroutines that all want one mutex, under which each computes for 1 ms, and then 0.1 ms without.
// locks idle|beside SECONDS: four goroutines that wait for work in a channel; beside: main computes.
package main

import (
	"os"
	"strconv"
	"sync"
	"time"
)

func burn(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

func fight(mutex *sync.Mutex, end time.Time) {
	for time.Now().Before(end) {
		mutex.Lock()
		burn(time.Millisecond)
		mutex.Unlock()
		burn(100 * time.Microsecond)
	}
}

func main() {
	var mutex sync.Mutex
	var all sync.WaitGroup
	how := os.Args[1]
	seconds, _ := strconv.ParseFloat(os.Args[2], 64)
	duration := time.Duration(seconds * 1e9)
	end := time.Now().Add(duration)
	work := make(chan int)

	all.Add(4)
	for i := 0; i < 4; i++ {
		go func() {
			defer all.Done()
			if how == "contended" {
				fight(&mutex, end)
			}
			for range work {
			}
		}()
	}
	switch how {
	case "beside":
		burn(duration)
	case "idle":
		time.Sleep(duration)
	}
	close(work)
	all.Wait()
}
