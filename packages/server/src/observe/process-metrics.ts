import { readdir, readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { Counter, Gauge, type Registry } from 'prom-client';

/** How often the event loop's delay is looked at. */
const resolutionMs = 10;

const microsecondsPerSecond = 1e6;

/** Registers what this process takes of its machine; `stop` ends what watches the event loop. */
export function addProcessMetrics(registry: Registry): { stop(): void } {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(read());
      },
    });
  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  gauge('process_heap_bytes', 'JavaScript heap in use', () => process.memoryUsage().heapUsed);
  gauge('process_uptime_seconds', 'Time since the start', () => process.uptime());
  new Counter({
    ...{ name: 'process_cpu_seconds_total', help: 'CPU time, of every thread', registers },
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / microsecondsPerSecond);
    },
  });
  addDescriptorMetrics(registry);
  return addEventLoopMetrics(registry);
}

/** Linux tells; elsewhere these have no value. */
function addDescriptorMetrics(registry: Registry) {
  const registers = [registry];
  new Gauge({
    ...{ name: 'process_open_fds', help: 'Open file descriptors', registers },
    async collect() {
      const open = await readdir('/proc/self/fd').catch(() => undefined);
      this.reset();
      // The one that reads the list is on it.
      if (open !== undefined) this.set(open.length - 1);
    },
  });
  new Gauge({
    ...{ name: 'process_max_fds', help: 'File descriptors at most', registers },
    async collect() {
      const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
      const most = /^Max open files +(\d+)/m.exec(limits)?.[1];
      this.reset();
      if (most !== undefined) this.set(Number(most));
    },
  });
}

function addEventLoopMetrics(registry: Registry) {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  new Gauge({
    name: 'model_gateway_event_loop_delay_seconds',
    help: 'Delay of the event loop since the metrics were last asked for, by quantile',
    labelNames: ['quantile'] as const,
    registers: [registry],
    collect() {
      this.reset();
      if (delay.count === 0) return;
      for (const quantile of [0.5, 0.99, 1]) {
        // What is measured is the time from one look to the next.
        const beyondMs = delay.percentile(quantile * 100) / 1e6 - resolutionMs;
        this.set({ quantile }, Math.max(0, beyondMs) / 1_000);
      }
      delay.reset();
    },
  });
  return { stop: () => void delay.disable() };
}
