import { type CostLine, costLines } from '../../../src/platforms/statements/costs.ts';
import { type CountLine, countLines } from '../../../src/platforms/statements/counts.ts';
import { type NumberLine, numberLines } from '../../../src/platforms/statements/numbers.ts';
import { termLines } from '../../../src/platforms/statements/terms.ts';
import { usagePathLines } from '../../../src/platforms/statements/usage-paths.ts';
import type { Json, Wire } from '../../../test/calls/support/wires.ts';
import {
  answered,
  answeredThen,
  type Broken,
  brokenNumber,
  brokenWord,
  countsOf,
  placed,
  type Response,
  type Way,
  ways,
} from './ways.ts';

/** Every row of the values in a `usage` and the top of a response, broken in every way. */
export function brokenStatements(): readonly Broken[] {
  return [
    ...countLines.flatMap((line) => ways.map((way) => brokenCount(line, way))),
    ...numberLines.flatMap((line) => ways.map((way) => brokenOther(line, way))),
    ...costLines.flatMap((line) => ways.map((way) => brokenCost(line, way))),
    ...termLines.flatMap(({ field }) => ways.map((way) => brokenTerm(field, way))),
    ...usagePathLines.flatMap(({ path }) => ways.map((way) => brokenPlace(path, way))),
  ];
}

/** Values that are neither a valid nor an omitted count. */
const noCounts = new Set<Way>(['wrong type', 'twice', 'negative', 'huge', 'fraction', 'nested']);
/** Ways to omit a value: a count that the response needs is then missing. */
const leftOut = new Set<Way>(['null', 'empty']);

function brokenCount({ path, means }: CountLine, way: Way): Broken {
  // A required count has one size, whichever of two values it has.
  const [good, other] = means === 'input' ? [1_000, 900] : [means === 'output' ? 10 : 7, 9];
  const value = brokenNumber(way, good, other);
  return {
    name: `count ${path}`,
    way,
    on: (wire) => withUsage(wire, path, value, way),
    isDoubtful(wire) {
      const isNeeded = path in countsOf(wire) && (means === 'input' || means === 'output');
      return noCounts.has(way) || (isNeeded && leftOut.has(way));
    },
  };
}

function brokenOther({ path: pattern, means }: NumberLine, way: Way): Broken {
  const path = pattern.replace('*', 'name');
  const isPriced = means === 'other-price' || means === 'server-tool';
  const isNumber = ['twice', 'negative', 'huge', 'nested'].includes(way);
  return {
    name: `number ${path}`,
    way,
    on: (wire) => withUsage(wire, path, brokenNumber(way, 7, 9), way),
    isDoubtful: () => isPriced && isNumber,
  };
}

/** The first of two costs is high above that of the counts, the second below it. */
function brokenCost({ path, power, addedWhere }: CostLine, way: Way): Broken {
  const high = power === 12 ? 5 : 5e10;
  const low = power === 12 ? 1e-9 : 1;
  const value = brokenNumber(way, high, low);
  const more = addedWhere === undefined ? {} : { [addedWhere]: true };
  return {
    name: `cost ${path}`,
    way,
    on: (wire) => withUsage(wire, path, value, way, more),
    isDoubtful: () => way === 'after content' || noCounts.has(way),
  };
}

function brokenTerm(field: string, way: Way): Broken {
  const value = brokenWord(way, 'other', 'standard');
  return {
    name: `term ${field}`,
    way,
    on(wire) {
      const top = { [field]: value };
      if (way === 'after content') return answeredThen(wire, countsOf(wire), top);
      const isTop = way === 'wrong place' || way === 'twice' || way === 'fraction';
      const usage = isTop ? countsOf(wire) : { ...countsOf(wire), ...top };
      return answered(wire, usage, isTop ? top : {});
    },
    isDoubtful: () => !leftOut.has(way),
  };
}

/** The only path with the counts, without the counts. */
function brokenPlace(path: string, way: Way): Broken {
  return {
    name: `place ${path}`,
    way,
    on(wire) {
      const counts = countsOf(wire);
      if (way === 'wrong place') return atPlace(wire, `more.${path}`, counts);
      if (way === 'after content') return answeredThen(wire, counts, placed(path, counts));
      const values: Partial<Record<Way, unknown>> = {
        ...{ 'wrong type': 'x', twice: [counts, counts], negative: -1, huge: 1e300 },
        ...{ null: null, fraction: 0.5, empty: {}, nested: { value: counts } },
      };
      return atPlace(wire, path, values[way]);
    },
    isDoubtful: () => way !== 'after content',
  };
}

/** A choice has its counts next to its content. */
function atPlace(wire: Wire, path: string, value: unknown): Response {
  if (path !== 'choices.0.usage' || wire.model !== 'chat')
    return answered(wire, undefined, placed(path, value));
  const choice = { index: 0, finish_reason: 'stop', usage: value };
  const message = { role: 'assistant', content: 'Hello there.' };
  const { whole } = answered(wire, undefined, { choices: [{ ...choice, message }] });
  const { events } = answered(wire, undefined, { choices: [{ ...choice, delta: {} }] });
  return { whole, events };
}

/** A response whose `usage` has a value at a path; if the path is wrong, it is next to `usage`. */
function withUsage(wire: Wire, path: string, value: unknown, way: Way, more: Json = {}): Response {
  const counts = { ...countsOf(wire), ...more };
  const at = placed(path, value);
  if (way === 'wrong place') return answered(wire, counts, at);
  if (way === 'after content') return answeredThen(wire, counts, { usage: { ...more, ...at } });
  return answered(wire, { ...counts, ...at }, {});
}
