/** A string, which is passed over; or a number with an exponent, outside of any string. */
const stringsAndExponents = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?[eE][+-]?\d+/g;

/**
 * By how many bytes the numbers of a JSON text grow when they are written anew: `1e20` becomes
 * `100000000000000000000`. Tool inputs and schemas are sent to the platform written anew, so the
 * bytes that were received bound its tokens only together with these. Numbers without an exponent
 * never grow: the shortest digits of a number are no more than those that it was read from.
 */
export function numberGrowth(text: string): number {
  if (!/\d[eE][+-]?\d/.test(text)) return 0;
  let growth = 0;
  for (const [found] of text.matchAll(stringsAndExponents)) {
    if (found.startsWith('"')) continue;
    growth += Math.max(0, String(Number(found)).length - found.length);
  }
  return growth;
}
