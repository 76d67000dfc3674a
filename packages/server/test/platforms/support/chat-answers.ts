import fc from 'fast-check';
import type { Answer } from '../../../src/platforms/wires/codec/surface-codec.ts';
import { mutate, mutations } from '../../fuzz/bodies.ts';

const words = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('', 'Hello.'));
const unexpected = fc.oneof(
  fc.constantFrom<unknown>(null, false, true, 0, 7, '', 'a', [], {}, [null], [{}], ['a'], [[]]),
  fc.jsonValue({ maxDepth: 1 }),
);

/** Usually the valid value of a field, sometimes anything, sometimes missing. */
function fieldsOf(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  const loose = Object.entries(fields).map(([name, fitting]) => {
    return [name, fc.oneof({ weight: 25, arbitrary: fitting }, unexpected)] as const;
  });
  return fc.record(Object.fromEntries(loose), { requiredKeys: [] });
}

const thinking = fc.array(fieldsOf({ type: fc.constantFrom('text', 'sound'), text: words }), {
  maxLength: 2,
});
const part = fc.oneof(
  fieldsOf({ type: fc.constant('text'), text: words }),
  fieldsOf({ type: fc.constant('thinking'), thinking }),
  fieldsOf({ type: fc.constantFrom('image_url', 'new'), text: words }),
);
const call = fieldsOf({
  id: fc.oneof(words, fc.constantFrom('call_1', null)),
  type: fc.constant('function'),
  function: fieldsOf({ name: words, arguments: words }),
});
const message = fieldsOf({
  role: fc.constantFrom('assistant', null),
  content: fc.oneof(words, fc.constant(null), fc.array(part, { maxLength: 3 })),
  refusal: fc.oneof(words, fc.constantFrom(null, false)),
  reasoning_content: fc.oneof(words, fc.constant(null)),
  reasoning: fc.oneof(words, fc.constant(null)),
  tool_calls: fc.oneof(fc.constant(null), fc.array(call, { maxLength: 3 })),
});
const choice = fieldsOf({
  message,
  finish_reason: fc.constantFrom(
    ...['stop', 'length', 'content_filter', 'tool_calls', 'function_call', 'eos', '', null],
  ),
});

/** A complete choice, with everything that is read. */
const whole = {
  index: 0,
  message: {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I shall look.' },
      { type: 'thinking', thinking: [{ type: 'text', text: 'Where?' }] },
    ],
    refusal: 'No.',
    reasoning_content: 'Hm.',
    reasoning: 'Well.',
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } },
      { id: '', type: 'function', function: { name: 'done', arguments: '' } },
    ],
    annotations: [],
  },
  logprobs: null,
  finish_reason: 'stop',
};

/** Responses: complete ones, broken ones, and ones of another shape. */
export const chatAnswers: fc.Arbitrary<Answer> = fc
  .oneof(
    { weight: 10, arbitrary: fc.array(choice, { minLength: 1, maxLength: 2 }) },
    { weight: 10, arbitrary: mutations.map((changes) => mutate([whole], changes)) },
    unexpected,
  )
  // JSON has no lists with holes.
  .map((choices) => JSON.parse(JSON.stringify({ choices })));
