import { readFileSync } from 'node:fs';
import process from 'node:process';
import { run, runs } from '../../harness/process.ts';

/** The core of attackers and platform, and all other cores, in the notation of `taskset`. */
export interface Cores {
  readonly attack: string;
  readonly service: string;
}

/**
 * Moves this process, and all that it starts later, off the core of the attack. Throws if `taskset`
 * or a second core is missing.
 */
export async function divideCores(): Promise<Cores> {
  for (const program of ['taskset', 'prlimit']) {
    if (await runs(program, ['--version'])) continue;
    throw new Error(`${program} is missing; install util-linux. Linux only`);
  }
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  const cores = coresIn(list ?? '');
  const attack = cores.at(-1);
  if (attack === undefined || cores.length < 2) {
    throw new Error(`needs 2 cores, one for the attack; this process may use ${list}`);
  }
  const service = cores.slice(0, -1).join(',');
  await run('taskset', ['--all-tasks', '--cpu-list', '--pid', service, String(process.pid)]);
  return { attack: String(attack), service };
}

/** The numbers of a list, for example `0-3,6`. */
export function coresIn(list: string): readonly number[] {
  return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, from, to = from]) => {
    const [first, last] = [Number(from), Number(to)];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
