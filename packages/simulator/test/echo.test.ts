import { expect, test } from 'vitest';
import { answerOf, asking, at, open } from './open.ts';

const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather of a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 3 } },
      required: ['city'],
    },
  },
} as const;

const clock = { type: 'function', function: { name: 'clock' } } as const;

test('the last user text is repeated, its parts joined', async () => {
  const { chat } = open();
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'first' },
    { role: 'assistant', content: 'answer' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'second' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=' } },
        { type: 'text', text: 'third' },
      ],
    },
  ];
  const answer = await answerOf(await chat({ model: 'sim-echo', messages }));
  expect(answer.text).toBe('second\nthird');
});

test('a schema is filled', async () => {
  const { chat } = open();
  const schema = weather.function.parameters;
  const response_format = { type: 'json_schema', json_schema: { name: 'weather', schema } };
  const answer = await answerOf(await chat({ ...asking('sim-echo'), response_format }));
  expect(answer).toMatchObject({ text: '{"city":"city","days":3}', finish: 'stop' });
});

test('without a schema, a JSON object contains the text', async () => {
  const { chat } = open();
  const response_format = { type: 'json_object' };
  const answer = await answerOf(await chat({ ...asking('sim-echo', 'hello'), response_format }));
  expect(answer.text).toBe('{"text":"hello"}');
});

test('in JSON mode a schema is taken from the messages', async () => {
  const { chat } = open();
  const schema = JSON.stringify(weather.function.parameters);
  const messages = [
    { role: 'system', content: `Answer with JSON that fits ${schema} and nothing else.` },
    { role: 'user', content: 'How is {it}?' },
  ];
  const body = { model: 'sim-echo', messages, response_format: { type: 'json_object' } };
  expect((await answerOf(await chat(body))).text).toBe('{"city":"city","days":3}');
});

test('the first tool is called once, then its result is repeated', async () => {
  const { chat } = open();
  const body = { ...asking('sim-echo', 'How is Paris?'), tools: [weather, clock] };
  const turn = await answerOf(await chat(body));
  expect(turn).toMatchObject({ finish: 'tool_calls', toolName: 'weather', text: undefined });
  expect(turn.toolInput).toBe('{"city":"city","days":3}');
  const message = at(turn.body, 'choices', 0, 'message');
  const result = { role: 'tool', tool_call_id: turn.toolCallId, content: '18 degrees' };
  const messages = [...body.messages, message, result];
  const last = await answerOf(await chat({ ...body, messages }));
  expect(last).toMatchObject({ finish: 'stop', text: 'The tools answered: 18 degrees' });
  const again = [...messages, { role: 'user', content: 'And Rome?' }];
  expect((await answerOf(await chat({ ...body, messages: again }))).toolName).toBe('weather');
});

test('tool_choice decides', async () => {
  const { chat } = open();
  const body = { ...asking('sim-echo', 'hello'), tools: [weather, clock] };
  const named = { type: 'function', function: { name: 'clock' } };
  const chosen = await answerOf(await chat({ ...body, tool_choice: named }));
  expect(chosen).toMatchObject({ toolName: 'clock' });
  const none = await answerOf(await chat({ ...body, tool_choice: 'none' }));
  expect(none).toMatchObject({ toolName: undefined, text: 'hello' });
});

test('with tools, sim-bad-json and sim-wrong-shape spoil the arguments', async () => {
  const { chat } = open();
  const bad = await answerOf(await chat({ ...asking('sim-bad-json'), tools: [weather] }));
  expect(bad.toolName).toBe('weather');
  expect(() => JSON.parse(bad.toolInput)).toThrow();
  const wrong = await answerOf(await chat({ ...asking('sim-wrong-shape'), tools: [weather] }));
  expect(JSON.parse(wrong.toolInput)).toBeInstanceOf(Array);
});

test('every model is cut at the maximum, never within a character', async () => {
  const { chat } = open();
  const body = { ...asking('sim-echo', '€'.repeat(100)), max_tokens: 5 };
  const answer = await answerOf(await chat(body));
  // 20 bytes hold six characters of 3 bytes.
  expect(answer).toMatchObject({ text: '€'.repeat(6), finish: 'length' });
  expect(answer.usage).toMatchObject({ completion_tokens: 5 });
});

test('a tool call is truncated too', async () => {
  const { chat } = open();
  const body = { ...asking('sim-echo'), tools: [weather], max_completion_tokens: 8 };
  const answer = await answerOf(await chat(body));
  // 4 for the call, 2 for its name: 2 tokens of arguments are left.
  expect(answer).toMatchObject({ finish: 'length', toolInput: '{"city":' });
  const shorter = await answerOf(await chat({ ...body, max_completion_tokens: 5 }));
  expect(shorter).toMatchObject({ finish: 'length', toolName: undefined, text: '' });
});

test('the same requests get the same responses, ids included', async () => {
  const bodies = [asking('sim-echo'), { ...asking('sim-echo'), tools: [weather] }];
  const run = async () => {
    const { chat } = open();
    const texts: string[] = [];
    for (const body of bodies) {
      const response = await chat(body);
      texts.push(`${response.headers.get('x-request-id')} ${await response.text()}`);
    }
    return texts;
  };
  expect(await run()).toEqual(await run());
});

test('with randomness, the ids of two simulators differ', async () => {
  const idFrom = async (random: () => number) =>
    (await open({ random }).chat(asking('sim-echo'))).headers.get('x-request-id');
  const one = await idFrom(() => 0.1);
  expect(one).toMatch(/^req_[0-9a-v]{52}$/);
  expect(one).not.toBe(await idFrom(() => 0.9));
});
