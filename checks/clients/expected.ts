import { lastText } from './vendors/journey.ts';
import { thinkers } from './vendors/vendors.ts';

const hello = { text: 'Hello there' };
const sentence = { text: 'Some words that come one by one' };

/** An agent's run at each vendor that requires its own content back, whole and streamed. */
export const journeys: readonly string[] = Object.keys(thinkers).flatMap((name) => [
  name,
  `${name}-stream`,
]);

/** A caller's view of each scenario, the same for every client. */
export const expected: Readonly<Record<string, object>> = {
  readme: { text: 'Hello, gateway!' },
  models: { listed: true },
  text: { ...hello, counts: true },
  responses: { ...hello, counts: true },
  stream: sentence,
  'stream-usage': { ...sentence, counts: true },
  tools: { tool: 'weather', text: 'The tools answered: 21 degrees' },
  'stream-tools': { tool: 'weather' },
  'read-tools': { text: 'The tools answered: 21 degrees' },
  'broken-arguments': { continued: true },
  forced: { tool: 'weather' },
  object: { keys: ['city'] },
  'object-json': { keys: ['city'] },
  image: hello,
  embeddings: { vectors: 2, numbers: true },
  count: { counts: true },
  spent: { raised: 402 },
  throttled: { raised: 429 },
  broken: { raised: true },
  left: { left: true },
  ...Object.fromEntries(journeys.map((name) => [name, { text: lastText }])),
};

/** The difference between the result and the expected one; undefined where there is none. */
export function surpriseOf(
  expectation: object,
  saw: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const [name, value] of Object.entries(expectation)) {
    // Of some errors only the raising is expected; others contain their status.
    const isAny = name === 'raised' && value === true && saw.raised !== undefined;
    if (isAny || JSON.stringify(saw[name]) === JSON.stringify(value)) continue;
    return `saw ${JSON.stringify(saw)}, not ${JSON.stringify(expectation)}`;
  }
  return undefined;
}
