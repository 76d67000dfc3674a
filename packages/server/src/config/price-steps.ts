import { factorUnit } from '../domain/price-terms.ts';
import { type Rates, type StepRates, stepOf } from '../domain/rates.ts';
import { formatUsdPerMillion, rateMax } from '../lib/money.ts';
import { tooMany } from '../lib/sentences.ts';
import { factor, formatFactor } from './factor.ts';
import { type Field, readList, report } from './field.ts';
import { described, type Schema } from './reader.ts';
import { count } from './scalars.ts';
import { key, openSection, readKeys, required, sectionSchema } from './section.ts';

const factorKeys = {
  input: key('Of all input; default: 1', factor),
  cachedInput: key('Of cached input; default: input', factor),
  cacheWrite: key('Of input that is written to the cache; default: input', factor),
  output: key('Of the output; default: 1', factor),
};

const stepKeys = {
  tokens: required('The step begins above so many tokens of input', count(1)),
  factors: required('What the rates are multiplied by', described(sectionSchema(factorKeys))),
};

const stepsMax = 8;

/** Above a step the whole call has other rates. */
export const stepsSchema: Schema = {
  ...{ type: 'array', minItems: 1, maxItems: stepsMax },
  items: sectionSchema(stepKeys),
};

export function readSteps(field: Field, rates: Rates): readonly StepRates[] | undefined {
  const { tree } = field;
  const written = tree.kind === 'list' ? tree.items.length : 1;
  if (written === 0) return report(field, 'is empty; write a step or remove the key');
  if (written > stepsMax) return report(field, tooMany(stepsMax, 'steps', written));
  let last = 0;
  return readList(field, (item) => {
    const section = openSection(item, stepKeys);
    const tokens = section.read('tokens');
    const factors = section.readWith('factors', (found) => readKeys(found, factorKeys));
    if (tokens === undefined || factors === undefined) return undefined;
    if (tokens <= last)
      return report(
        item,
        `begins above ${tokens} tokens, which is not more than the ${last} of the step before; write the shortest step first`,
      );
    last = tokens;
    return readStep(item, rates, { tokens, factors });
  });
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
