import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Processor time of a process since its start, user and kernel together. */
export interface CpuTime {
  /** Of all threads, including ended ones. */
  readonly totalMicros: number;
  /** Of the first thread: in Node, the thread of the event loop. */
  readonly mainMicros: number;
}

/** Linux counts processor time in ticks of 10 ms in every file under /proc, on every machine. */
export const tickMicros = 10_000;

/** Reads the processor time of a process so far, from the operating system's accounting. */
export function readCpuTime(pid: number): CpuTime {
  return {
    totalMicros: ticksIn(`/proc/${pid}/stat`) * tickMicros,
    mainMicros: ticksIn(`/proc/${pid}/task/${pid}/stat`) * tickMicros,
  };
}

/**
 * The processor time of a process so far, in microseconds without steps; only of living threads.
 */
export function readRunMicros(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanos = threads.map((thread) => {
    try {
      const [ran] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return Number(ran);
    } catch {
      // The thread has ended since the folder was listed.
      return 0;
    }
  });
  return nanos.reduce((sum, ran) => sum + ran, 0) / 1_000;
}

/** Processor time by thread name; threads of one name are summed up. */
export function readThreadTimes(pid: number): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    const name = readFileSync(`${folder}/comm`, 'utf8').trim();
    times.set(name, (times.get(name) ?? 0) + ticksIn(`${folder}/stat`) * tickMicros);
  }
  return times;
}

function ticksIn(statFile: string): number {
  const stat = readFileSync(statFile, 'utf8');
  // The name of the process, in parentheses, may contain spaces: fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Field 3 of the file is the first here; 14 is utime, 15 is stime.
  return Number(fields[11]) + Number(fields[12]);
}

/** Processor time of all processes and of the kernel since the machine's start. */
export function readMachineMicros(): number {
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // cpu user nice system idle iowait irq softirq steal
  const [user, nice, system, , , irq, softirq] = first.split(/ +/).slice(1).map(Number);
  return ((user ?? 0) + (nice ?? 0) + (system ?? 0) + (irq ?? 0) + (softirq ?? 0)) * tickMicros;
}

/** The peak memory of a process, in bytes. */
export function readPeakBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} reports no peak memory`);
  return Number(kilobytes) * 1024;
}

/** Resets the peak, so {@link readPeakBytes} returns the later one. */
export function resetPeak(pid: number) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
