import type { Row } from './rows.ts';

const columns: readonly { readonly title: string; readonly of: (row: Row) => string }[] = [
  { title: 'CPU µs/call', of: (row) => fixed(row.cpuMicrosPerCall, 1) },
  { title: 'main thread', of: (row) => fixed(row.mainThreadMicrosPerCall, 1) },
  { title: '× floor', of: (row) => fixed(row.cpuTimesFloor, 2) },
  { title: 'database', of: (row) => fixed(row.databaseMicrosPerCall, 1) },
  { title: 'calls/s', of: (row) => fixed(row.callsPerSecond, 0) },
  { title: '× floor', of: (row) => fixed(row.callsTimesFloor, 2) },
  { title: 'p50 ms', of: (row) => fixed(row.p50Ms, 2) },
  { title: 'p99 ms', of: (row) => fixed(row.p99Ms, 2) },
  { title: '+ p50', of: (row) => fixed(row.addedP50Ms, 2) },
  { title: '+ p99', of: (row) => fixed(row.addedP99Ms, 2) },
  { title: 'peak MB', of: (row) => fixed(megabytes(row.peakBytes), 0) },
];

const widths = columns.map(({ title }) => Math.max(title.length, 8));
const sideWidth = 20;

export function tableHead(): string {
  return line(
    'side',
    columns.map(({ title }) => title),
  );
}

/** The rows of one scenario under its name, with failures and disturbances. */
export function tableOf(rows: readonly Row[]): string {
  const [first] = rows;
  const lines = [`\n${first?.scenario ?? ''}`];
  for (const row of rows) {
    lines.push(
      line(
        row.side,
        columns.map((column) => column.of(row)),
      ),
    );
    if (row.failures > 0) lines.push(`    ${row.failures} failures: ${firstFailureOf(row)}`);
  }
  const busiest = Math.max(...rows.map((row) => row.generatorShare));
  const upstream = Math.max(...rows.map((row) => row.upstreamShare));
  const others = Math.max(...rows.map((row) => row.othersShare));
  lines.push(
    `    of a core: load generator ≤ ${percent(busiest)}, upstream ≤ ${percent(upstream)}, ` +
      `all else on the machine ≤ ${percent(others)}`,
  );
  return lines.join('\n');
}

function firstFailureOf({ rounds }: Row): string {
  return rounds.find((round) => round.firstFailure !== undefined)?.firstFailure ?? '';
}

function line(side: string, cells: readonly string[]): string {
  const padded = cells.map((cell, index) => cell.padStart(widths[index] ?? 0));
  return [side.padEnd(sideWidth), ...padded].join('  ');
}

function fixed(value: number | undefined, digits: number): string {
  return value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits);
}

function megabytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / 1024 / 1024;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
