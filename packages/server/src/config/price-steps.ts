import { factorUnit } from '../domain/price-terms.ts';
import { type Rates, type StepRates, stepOf } from '../domain/rates.ts';
import { formatUsdPerMillion, rateMax } from '../lib/money.ts';
import { factor, formatFactor } from './factor.ts';
import { type Bounds, type Field, readList, report } from './field.ts';
import { described, type Schema } from './reader.ts';
import { count } from './scalars.ts';
import { boundsSchema, key, openSection, readKeys, required, sectionSchema } from './section.ts';

const factorKeys = {
  input: key('Factor of all input; default: 1', factor),
  cachedInput: key('Factor of cached input; default: input', factor),
  cacheWrite: key('Factor of cache writes; default: input', factor),
  output: key('Factor of the output; default: 1', factor),
};

const stepKeys = {
  tokens: required('Number of input tokens above which the step begins', count(1)),
  factors: required('Factors of the rates', described(sectionSchema(factorKeys))),
};

const bounds: Bounds = {
  ...{ max: 8, noun: 'steps', empty: 'is empty; add a step, or remove the key' },
};

/** Above a step the whole call has other rates. */
export const stepsSchema: Schema = {
  ...{ type: 'array', ...boundsSchema('Items', bounds) },
  items: sectionSchema(stepKeys),
};

export function readSteps(field: Field, rates: Rates): readonly StepRates[] {
  let last = 0;
  return readList(field, readNext, bounds);

  function readNext(item: Field): StepRates | undefined {
    const section = openSection(item, stepKeys);
    const tokens = section.read('tokens');
    const factors = section.readWith('factors', (entry) => readKeys(entry, factorKeys));
    if (tokens === undefined || factors === undefined) return undefined;
    if (tokens <= last)
      return report(
        item,
        `begins above ${tokens} tokens, which is not more than the ${last} of the step before; list the smallest step first`,
      );
    last = tokens;
    return readStep(item, rates, { tokens, factors });
  }
}

function readStep(field: Field, rates: Rates, step: Parameters<typeof stepOf>[1]): StepRates {
  const problems = new Set<string>();
  const read = stepOf(rates, step, (rate, millionths) => {
    const problem = problemOf(rate, millionths);
    if (problem !== undefined) problems.add(problem);
    return (rate * millionths) / factorUnit;
  });
  for (const problem of problems) report(field, problem);
  return read;
}

/** Money has no unit below a pico-USD. */
function problemOf(rate: bigint, millionths: bigint): string | undefined {
  const product = `$${formatUsdPerMillion(rate)} times ${formatFactor(millionths)}`;
  const scaled = rate * millionths;
  if (scaled % factorUnit !== 0n) {
    return `${product} has more than six decimals; use a factor with fewer decimals`;
  }
  return scaled > rateMax * factorUnit
    ? `${product} is above the maximum of $${formatUsdPerMillion(rateMax)}; use a lower factor`
    : undefined;
}
