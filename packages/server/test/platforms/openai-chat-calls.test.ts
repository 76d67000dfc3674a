import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldOf } from '../../src/lib/json-value.ts';
import type { ToolInput } from '../../src/platforms/model/content.ts';
import { readMessage } from '../../src/platforms/wires/openai-chat/read-message.ts';
import { ToolCalls } from '../../src/platforms/wires/openai-chat/tool-calls.ts';

/** The result of pieces: as sent, which must equal the final result. */
function callsOf(pieces: readonly object[]) {
  const inputs: ToolInput[] = [];
  const calls = new ToolCalls(1, (piece) => inputs.push(piece));
  for (const piece of pieces) calls.add({ ...piece });
  const message = { tool_calls: calls.list() };
  const read = readMessage({ choices: [{ message }] }, { messages: [] });
  const list = read?.content.map((part) =>
    part.type === 'tool-call' ? [part.toolCallId, part.toolName, part.input] : part,
  );
  const joined: string[][] = [];
  for (const { index, toolCallId = '', toolName = '', text } of inputs) {
    const call = joined[index] ?? ['', '', ''];
    joined[index] = [call[0] + toolCallId, call[1] + toolName, call[2] + text];
  }
  expect(joined).toEqual(list);
  return joined;
}

const piece = (id: unknown, name: unknown, input: unknown, index: unknown = 0) => ({
  ...{ index, id, function: { name, arguments: input } },
});
const [ulm, rome] = ['{"city":"Ulm"}', '{"city":"Rome"}'];

describe('pieces of tool calls', () => {
  it.each<[string, object[], string[][]]>([
    [
      'one call in pieces',
      [piece('a', 'look', ''), piece(null, null, '{"city"'), piece('', '', ':"Ulm"}')],
      [['a', 'look', ulm]],
    ],
    [
      'numbers and ids of the first pieces alone',
      [
        ...[piece('a', 'look', ''), { function: { arguments: '{"city"' } }],
        ...[{ function: { arguments: ':"Ulm"}' } }, piece('b', 'time', '')],
        ...[{ function: { arguments: '{"tz":' } }, { function: { arguments: '"B"}' } }],
      ],
      [
        ['a', 'look', ulm],
        ['b', 'time', '{"tz":"B"}'],
      ],
    ],
    [
      'parallel calls that all have the number 0 and no id',
      [piece('', 'look', ulm), piece(undefined, 'time', '{"tz":"B"}')],
      [
        ['call_1_0', 'look', ulm],
        ['call_1_1', 'time', '{"tz":"B"}'],
      ],
    ],
    [
      'the same, of one tool',
      [piece('', 'look', ulm), piece('', 'look', rome)],
      [
        ['call_1_0', 'look', ulm],
        ['call_1_1', 'look', rome],
      ],
    ],
    [
      'the same, in pieces, with ids of their own',
      [
        piece('a', 'look', ''),
        piece(null, null, ulm),
        piece('b', 'look', ''),
        piece(null, null, rome),
      ],
      [
        ['a', 'look', ulm],
        ['b', 'look', rome],
      ],
    ],
    [
      'calls of one id',
      [piece('a', 'look', ulm, 0), piece('a', 'look', '', 1), piece('a', null, rome, 1)],
      [
        ['a', 'look', ulm],
        ['call_1_1', 'look', rome],
      ],
    ],
    [
      'a name that comes with each piece',
      [piece('a', 'look', '{"city"'), piece('a', 'look', ':"U'), piece('a', 'look', 'lm"}')],
      [['a', 'look', ulm]],
    ],
    [
      'a name that comes with each piece, without an id or a number',
      [
        piece(null, 'look', '{"city"', null),
        piece(null, 'look', ':"Ulm"}', null),
        piece(null, 'look', '', null),
        piece(null, 'look', '{"city"', null),
        piece(null, 'look', ':"Rome"}', null),
      ],
      [
        ['call_1_0', 'look', ulm],
        ['call_1_1', 'look', rome],
      ],
    ],
    [
      'an id that changes with each piece',
      [piece('a', 'look', ''), piece('b', null, '{"city":'), piece('c', null, '"Ulm"}')],
      [['a', 'look', ulm]],
    ],
    [
      'an id and a name that come with each piece, of which the id changes',
      [piece('a', 'look', '{"city":'), piece('b', 'look', '"Ulm"}')],
      [['a', 'look', ulm]],
    ],
    [
      'an id that comes late',
      [piece(null, 'look', ''), piece('a', null, ulm), piece('b', 'look', rome)],
      [
        ['call_1_0', 'look', ulm],
        ['b', 'look', rome],
      ],
    ],
    [
      'a number that changes within a call',
      [piece('a', 'look', '{"city"', 0), piece('a', null, ':"Ulm"', 1), piece(null, null, '}', 1)],
      [['a', 'look', ulm]],
    ],
    [
      'a number that is only in the first piece',
      [piece('a', 'look', '', 3), { function: { arguments: ulm } }],
      [['a', 'look', ulm]],
    ],
    [
      'pieces of two calls in turn, without numbers',
      [
        piece('a', 'look', '{"city"', null),
        piece('b', 'time', '{"tz"', null),
        piece('a', null, ':"Ulm"}', null),
        piece('b', null, ':"B"}', null),
      ],
      [
        ['a', 'look', ulm],
        ['b', 'time', '{"tz":"B"}'],
      ],
    ],
    [
      'the whole call once more at its end',
      [piece('a', 'look', ''), piece(null, null, ulm), piece('a', 'look', ulm)],
      [['a', 'look', ulm]],
    ],
    ['a value', [piece('a', 'look', { city: 'Ulm' })], [['a', 'look', ulm]]],
    [
      'an empty value, and then its text',
      [piece('a', 'look', {}), piece('a', null, ulm)],
      [['a', 'look', ulm]],
    ],
    ['null', [piece('a', 'look', null)], [['a', 'look', '']]],
    ['nothing', [{ index: 0, id: 'a', function: { name: 'look' } }], [['a', 'look', '']]],
    ['a number as id', [piece(7, 'look', ulm)], [['7', 'look', ulm]]],
    ['no function around them', [{ id: 'a', name: 'look', arguments: ulm }], [['a', 'look', ulm]]],
    [
      'nothing at all',
      [{}, { index: 1, function: {} }, piece('a', 'look', ulm)],
      [['a', 'look', ulm]],
    ],
    [
      'an id that is as one that was made',
      [piece('', 'look', ulm, 0), piece('call_1_0', 'look', rome, 1)],
      [
        ['call_1_0', 'look', ulm],
        ['call_1_1', 'look', rome],
      ],
    ],
  ])('%s', (_, pieces, expected) => {
    expect(callsOf(pieces)).toEqual(expected);
  });

  const call = fc.record({
    name: fc.constantFrom('look', 'time'),
    value: fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 3,
    }),
  });
  /** The formats of servers. */
  const habit = fc.record({
    number: fc.constantFrom('right', 'zero', 'none'),
    id: fc.constantFrom('right', 'empty', 'none', 'first', 'changing'),
    hasNames: fc.boolean(),
    size: fc.integer({ min: 1, max: 9 }),
  });

  it('give the same calls, whatever a server omits or repeats', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 4 }), habit, (calls, habits) => {
        const written = calls.map(({ name, value }) => ({ name, input: JSON.stringify(value) }));
        // Nothing else separates two calls of one tool.
        const isTold = habits.number === 'right' || habits.id === 'right';
        fc.pre(isTold || habits.id !== 'first' || written.length === 1);
        const inputs = callsOf(piecesOf(written, habits));
        expect(inputs.map(([, name, input]) => [name, input])).toEqual(
          written.map(({ name, input }) => [name, input]),
        );
        expect(new Set(inputs.map(([id]) => id)).size).toBe(written.length);
        if (habits.id === 'right')
          expect(inputs.map(([id]) => id)).toEqual(written.map((_, at) => `c${at}`));
      }),
      { numRuns: 1_000 },
    );
  });
});

type Habit = { number: string; id: string; hasNames: boolean; size: number };

function piecesOf(calls: readonly { name: string; input: string }[], habits: Habit) {
  let count = 0;
  return calls.flatMap(({ name, input }, at) => {
    const texts = input.match(new RegExp(`[^]{1,${habits.size}}`, 'g')) ?? [];
    return texts.map((text, nth) => {
      count += 1;
      const ids: Record<string, unknown> = {
        right: `c${at}`,
        empty: '',
        first: nth === 0 ? 'c' : null,
        changing: nth === 0 ? `c${at}` : `x${count}`,
      };
      const index = { right: at, zero: 0 }[habits.number];
      const called = { name: nth === 0 || habits.hasNames ? name : null, arguments: text };
      return { index, id: ids[habits.id], function: called };
    });
  });
}

describe('complete tool calls', () => {
  const read = (message: object, finish_reason = 'tool_calls') =>
    readMessage({ choices: [{ message, finish_reason }] }, { messages: [] })?.content;
  const called = (toolCallId: string, input: string) => ({
    ...{ type: 'tool-call', toolCallId, toolName: 'look', input },
  });

  it.each<[string, unknown, string]>([
    ['a text', ulm, ulm],
    ['a value', { city: 'Ulm' }, ulm],
    ['an empty value', {}, ''],
    ['null', null, ''],
    ['nothing', undefined, ''],
    ['a list', [1], '[1]'],
    ['a text that is no JSON', '{"city', '{"city'],
  ])('may have %s as arguments', (_, input, text) => {
    const tool_calls = [{ id: 'a', function: { name: 'look', arguments: input } }];
    expect(read({ tool_calls })).toEqual([called('a', text)]);
  });

  it('have their own ids, and skip invalid ones', () => {
    const one = (id: unknown) => ({ id, function: { name: 'look', arguments: ulm } });
    const tool_calls = [one('a'), null, one('a'), 'x', {}, one(null), one('')];
    expect(read({ tool_calls })?.map((part) => fieldOf(part, 'toolCallId'))).toEqual([
      ...['a', 'call_0_1', 'call_0_2', 'call_0_3'],
    ]);
  });

  it('may be a single call from before several were possible', () => {
    const function_call = { name: 'look', arguments: ulm };
    expect(read({ function_call, tool_calls: [] })).toEqual([called('call_0_0', ulm)]);
  });

  it('may be one without a list', () => {
    const tool_calls = { id: 'a', function: { name: 'look', arguments: ulm } };
    expect(read({ tool_calls })).toEqual([called('a', ulm)]);
  });
});
