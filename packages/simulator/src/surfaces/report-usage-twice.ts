import type { ReportedFirst } from '../model/outcome.ts';

const opening = '"usage":{';

/**
 * Repeats the last `usage`, or each of its counts; `first` comes first, in the surface's format.
 */
export function reportUsageTwice(json: string, how: ReportedFirst['how'], first: object): string {
  const at = json.lastIndexOf(opening);
  if (at === -1 || how === 'start' || how === 'before') return json;
  const usage = JSON.stringify(first);
  if (how === 'object') return `${json.slice(0, at)}"usage":${usage},${json.slice(at)}`;
  const within = at + opening.length;
  return `${json.slice(0, within)}${usage.slice(1, -1)},${json.slice(within)}`;
}
