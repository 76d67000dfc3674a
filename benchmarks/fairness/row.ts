import type { Measured } from './measure-vector.ts';
import { isMiss, timesSlower } from './verdict.ts';

export function rowHead(width: number): string {
  const figures = ' kept    p50    p95  × quiet  core     RSS   load  attack/s  statuses';
  return `${'vector'.padEnd(width)}  ${figures}`;
}

export function rowText(name: string, width: number, measured: Measured): string {
  const { quiet, attacked, attack, coreShare, peakBytes, load } = measured;
  const all = Object.values(attack.statuses).reduce((sum, count) => sum + count, 0);
  const cells = [
    `${(attacked.answeredShare * 100).toFixed(0)} %`.padStart(5),
    `${attacked.p50Ms.toFixed(0)}`.padStart(5),
    `${attacked.p95Ms.toFixed(0)}`.padStart(5),
    `${timesSlower(quiet, attacked).toFixed(1)}`.padStart(7),
    `${(coreShare * 100).toFixed(0)} %`.padStart(5),
    `${(peakBytes / 2 ** 20).toFixed(0)} MiB`.padStart(8),
    `${load.toFixed(1)}`.padStart(5),
    `${(all / attack.seconds).toFixed(1)}`.padStart(8),
    statusesText(attack.statuses),
    ...(isMiss(quiet, attacked) ? ['MISS'] : []),
  ];
  return `${name.padEnd(width)}  ${cells.join('  ')}`;
}

export function problemLines({ problems }: Measured): readonly string[] {
  const sorted = [...problems].sort(([, a], [, b]) => b - a).slice(0, 3);
  return sorted.map(([problem, count]) => `    ${count} calls lost: ${problem}`);
}

function statusesText(statuses: Readonly<Record<string, number>>): string {
  const parts = Object.entries(statuses).map(([status, count]) => `${status}×${count}`);
  return parts.length === 0 ? 'no answer' : parts.join(' ');
}
