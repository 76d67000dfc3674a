import process from 'node:process';
import { createNormalizationGrowth } from '../../packages/server/src/calls/admission/normalization-growth.ts';
import { installTokenizers } from './install.ts';
import { adversarial, everyCodePoint, type Sample } from './texts.ts';
import { type Tokenizer, tokenizers } from './tokenizers.ts';

/**
 * A token that begins a text, or joins its first word, is covered by the preamble of the maximum
 * input.
 */
const beginningMax = 2;

const growth = createNormalizationGrowth();

/** The bytes of a text, as the maximum input of a call counts them. */
function boundOf(text: string): number {
  const json = JSON.stringify(text);
  return Buffer.byteLength(text) + growth(json, Buffer.byteLength(json));
}

interface Worst {
  readonly sample: Sample;
  readonly tokens: number;
  readonly bytes: number;
  readonly bound: number;
}

await installTokenizers();
let broken = 0;
for (const { name, open } of tokenizers) {
  const tokenizer = await open();
  const code = examine(tokenizer, everyCodePoint());
  const made = examine(tokenizer, adversarial());
  const samples = code.samples + made.samples;
  const byBytes = worst(code.byBytes, made.byBytes, 'bytes');
  const byBound = worst(code.byBound, made.byBound, 'bound');
  print(
    `${name}: ${samples} texts; most tokens a byte ${ratio(byBytes, 'bytes')}, most of the bound ${ratio(byBound, 'bound')}`,
  );
  for (const worst of [...code.above, ...made.above].slice(0, 10)) {
    print(`  ABOVE THE BOUND: ${worst.sample.name}: ${worst.tokens} tokens, ${worst.bound} bound`);
  }
  broken += code.above.length + made.above.length;
}
print(broken === 0 ? 'no text has more tokens than its bound' : `${broken} texts are above`);
process.exitCode = broken === 0 ? 0 : 1;

function examine(tokenizer: Tokenizer, samples: Iterable<Sample>) {
  let count = 0;
  let byBytes: Worst | undefined;
  let byBound: Worst | undefined;
  const above: Worst[] = [];
  for (const sample of samples) {
    count += 1;
    const tokens = Math.max(0, tokenizer.count(sample.text) - beginningMax);
    const bytes = Buffer.byteLength(sample.text);
    const sampled = { sample, tokens, bytes, bound: boundOf(sample.text) };
    byBytes = isWorse(sampled, byBytes, 'bytes') ? sampled : byBytes;
    byBound = isWorse(sampled, byBound, 'bound') ? sampled : byBound;
    if (sampled.tokens > sampled.bound) above.push(sampled);
  }
  return { samples: count, byBytes, byBound, above };
}

function worst(one: Worst | undefined, other: Worst | undefined, by: 'bytes' | 'bound') {
  return one !== undefined && isWorse(one, other, by) ? one : other;
}

function isWorse(sampled: Worst, worst: Worst | undefined, by: 'bytes' | 'bound'): boolean {
  return worst === undefined || sampled.tokens / sampled[by] > worst.tokens / worst[by];
}

function ratio(worst: Worst | undefined, by: 'bytes' | 'bound'): string {
  if (worst === undefined) return 'none';
  return `${(worst.tokens / worst[by]).toFixed(2)} (${worst.sample.name})`;
}

function print(line: string) {
  process.stdout.write(`${line}\n`);
}
