import fc from 'fast-check';
import { documents } from '../objects/documents.ts';

const model = fc.constantFrom(
  ...['sim-echo', 'sim-echo', 'sim-echo', 'sim-unpriced', 'sim-truncated', 'sim-bad-json'],
  ...['sim-wrong-tool', 'sim-rejects', 'sim-denied', 'sim-missing', 'sim-html', 'sim-no-usage'],
  ...['sim-throttled', 'sim-crash', 'sim-empty', 'nobody-knows-this-model'],
);
const words = fc.oneof(fc.constant('Hello'), fc.string({ unit: 'grapheme', maxLength: 30 }));
const json = fc.jsonValue({ maxDepth: 3 });

const part = fc.oneof(
  words.map((text) => ({ type: 'text', text })),
  fc.constant({ type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }),
);
const userMessage = fc
  .oneof(words, fc.array(part, { minLength: 1, maxLength: 3 }))
  .map((content) => ({ role: 'user', content }));
const call = fc.record({
  id: fc.constant('c1'),
  name: fc.constantFrom('look', 'tell'),
  input: json,
});
const message = fc.oneof(
  { weight: 4, arbitrary: userMessage },
  words.map((content) => ({ role: 'system', content })),
  fc.record({ role: fc.constant('assistant'), content: words }),
  fc.record({ role: fc.constant('assistant'), toolCalls: fc.array(call, { maxLength: 2 }) }),
  words.map((content) => ({ role: 'tool', toolCallId: 'c1', content })),
);
const common = {
  model,
  messages: fc.array(message, { minLength: 1, maxLength: 4 }),
  maxTokens: fc.constantFrom(1, 100, 1_000, 1_000_000),
};
const optional = {
  userId: fc.constantFrom('ada', 'eve'),
  temperature: fc.double({ min: 0, max: 2, noNaN: true }),
  topP: fc.double({ min: 0, max: 1, noNaN: true }),
  stop: fc.array(fc.constantFrom('.', 'END'), { maxLength: 3 }),
};
const schema = documents.map((document) => ({ ...document, type: 'object' }));
const tool = fc.record({ name: fc.constantFrom('look', 'tell'), inputSchema: documents });

function bodyOf(own: Fields, more: Fields = {}): fc.Arbitrary<object> {
  const needed = fc.record({ ...common, ...own });
  const rest = fc.record({ ...optional, ...more }, { requiredKeys: [] });
  return fc.tuple(needed, rest).map(([one, other]) => ({ ...one, ...other }));
}

type Fields = Record<string, fc.Arbitrary<unknown>>;

/** Bodies that are valid, or nearly: their meaning may still be rejected. */
export const goodBodies = {
  '/v1/chat': bodyOf({}),
  '/v1/objects': bodyOf({ schema }, { schemaName: fc.constant('answer') }),
  '/v1/agents/run': bodyOf(
    { tools: fc.uniqueArray(tool, { minLength: 1, maxLength: 2, selector: ({ name }) => name }) },
    { toolChoice: fc.constantFrom('auto', 'required', { name: 'look' }, { name: 'nobody' }) },
  ),
} as const;

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, 2 ** 53, '', 'a', [], {}, [null], [[]]),
  fc.constantFrom<unknown>('\ud800', '\u0000', 'a\u0085', '🙂', 'a'.repeat(3_000), '/', '../..'),
  fc.constantFrom<unknown>({ role: 'user' }, { role: 'user', content: 'x' }, { toString: 1 }),
  json,
);

/** A change somewhere in a value. `at` chooses among all of its places. */
export const mutations = fc.array(
  fc.record({
    at: fc.nat(),
    how: fc.constantFrom('remove', 'replace', 'rename', 'copy', 'wrap', 'nest'),
    value: odd,
    name: fc.constantFrom('extra', '', '__proto__', 'constructor', 'model', 'content', 'stream'),
  }),
  { maxLength: 3 },
);

type Mutation = typeof mutations extends fc.Arbitrary<readonly (infer M)[]> ? M : never;

/** A place in a value: the object or list around it, and its name or index there. */
interface Place {
  readonly holder: object;
  readonly key: string;
}

/** A copy of a value with some places changed. */
export function mutate(value: object, changes: readonly Mutation[]): unknown {
  const root = { value: structuredClone(value) };
  for (const change of changes) {
    const places = placesIn(root);
    const place = places[change.at % Math.max(1, places.length)];
    if (place !== undefined) apply(place, change);
  }
  return root.value;
}

function placesIn(holder: object): readonly Place[] {
  return Object.entries(holder).flatMap(([key, value]) => {
    const place = { holder, key };
    return typeof value === 'object' && value !== null ? [place, ...placesIn(value)] : [place];
  });
}

function apply({ holder, key }: Place, { how, value, name }: Mutation) {
  const old = Reflect.get(holder, key);
  const set = (to: unknown, at = key) => define(holder, at, to);
  if (how === 'remove') Reflect.deleteProperty(holder, key);
  else if (how === 'replace') set(structuredClone(value));
  else if (how === 'copy') set(structuredClone(old), `${key}${name}`);
  else if (how === 'wrap') set([old]);
  else if (how === 'nest') set(nested(old));
  else {
    Reflect.deleteProperty(holder, key);
    set(old, name);
  }
}

/** A name with a meaning in JavaScript is an ordinary name here. */
function define(holder: object, key: string, value: unknown) {
  const own = { value, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(holder, key, own);
}

function nested(value: unknown): unknown {
  let deep = value;
  for (let depth = 0; depth < 70; depth++) deep = depth % 2 === 0 ? [deep] : { a: deep };
  return deep;
}
