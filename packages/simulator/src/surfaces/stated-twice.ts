import type { StatedFirst } from '../outcome.ts';

const opening = '"usage":{';

/**
 * The JSON of an answer or an event in which the last `usage` is said twice, or each of its counts.
 * `first` is what is said first, in the words of the surface.
 */
export function statedTwice(json: string, how: StatedFirst['how'], first: object): string {
  const at = json.lastIndexOf(opening);
  if (at === -1 || how === 'start' || how === 'before') return json;
  const usage = JSON.stringify(first);
  if (how === 'object') return `${json.slice(0, at)}"usage":${usage},${json.slice(at)}`;
  const within = at + opening.length;
  return `${json.slice(0, within)}${usage.slice(1, -1)},${json.slice(within)}`;
}
