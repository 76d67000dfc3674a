import type { Sample } from './sample.ts';
import type { Growth } from './verdict.ts';

const columns: readonly (readonly [string, (sample: Sample) => string])[] = [
  ['time s', ({ atMs }) => (atMs / 1_000).toFixed(0)],
  ['RSS MiB', ({ residentMebibytes }) => residentMebibytes.toFixed(0)],
  ['heap MiB', ({ heapMebibytes }) => heapMebibytes.toFixed(0)],
  ['descriptors', ({ descriptors }) => String(descriptors)],
  ['threads', ({ threads }) => String(threads)],
  ['open holds', ({ openHolds }) => String(openHolds)],
  ['in flight', ({ inFlight }) => String(inFlight)],
  ['drains', ({ drains }) => String(drains)],
  ['WAL MiB', ({ walMebibytes }) => walMebibytes.toFixed(1)],
  ['store MiB', ({ databaseMebibytes }) => databaseMebibytes.toFixed(1)],
];

/** The line above all samples. */
export function sampleHead(): string {
  return columns.map(([title]) => title).join('  ');
}

export function sampleLine(sample: Sample): string {
  return columns.map(([title, of]) => of(sample).padStart(title.length)).join('  ');
}

/** The growth of a figure, and its limit. */
export function growthLine({ name, grown, most, isWithin }: Growth): string {
  const verdict = isWithin ? 'within' : 'MORE than';
  return `${name}: ${grown >= 0 ? '+' : ''}${grown.toFixed(1)}, ${verdict} the bound of ${most}`;
}
