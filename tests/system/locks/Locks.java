/* SPDX-License-Identifier: GPL-2.0-or-later */
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Locks contended SECONDS: four threads that all want one monitor, in which each computes for 1 ms, and then 0.1 ms outside.
 * Locks idle|beside SECONDS: a pool of four threads that wait for work; beside: main computes.
 */
public class Locks {
	private static final Object MONITOR = new Object();

	private static void burn(long ns) {
		long end = System.nanoTime() + ns;

		while (System.nanoTime() < end)
			;
	}

	private static void fight(long end) {
		while (System.nanoTime() < end) {
			synchronized (MONITOR) {
				burn(1_000_000);
			}
			burn(100_000);
		}
	}

	public static void main(String[] args) throws Exception {
		long ns = (long) (Double.parseDouble(args[1]) * 1e9), end = System.nanoTime() + ns;
		boolean contended = args[0].equals("contended");
		ExecutorService pool = Executors.newFixedThreadPool(4);

		for (int i = 0; i < 4; i++)
			pool.submit(() -> {
				if (contended)
					fight(end);
			});
		if (args[0].equals("beside"))
			burn(ns);
		else if (!contended)
			Thread.sleep(ns / 1_000_000);
		pool.shutdown();
		pool.awaitTermination(1, TimeUnit.HOURS);
	}
}
