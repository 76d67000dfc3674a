import { describe, expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { chatOf, sendBody } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { sharedStack } from '../support/shared-stack.ts';

const shared = sharedStack({
  yaml: `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 100000, burst: 100000 } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
});

/** Sends a body that must be rejected, without cost, with a message that names the path. */
async function expectInvalid(body: unknown, says: readonly string[]) {
  const { stack } = shared();
  expectError(await sendBody(stack, 'search', body), { status: 400, code: 'INVALID', says });
  await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
}

const good = chatOf('sim-echo');

/** The valid body with some fields replaced; undefined removes a field. */
function body(parts: object) {
  return { ...good, ...parts };
}

function messages(...list: readonly unknown[]) {
  return body({ messages: list });
}

describe('a body that is not a JSON object', () => {
  test.each([
    ['', 'The body is empty; send a JSON object'],
    ['   \n ', 'The body is empty; send a JSON object'],
    ['no JSON', 'The body is not JSON'],
    ['{"model":"sim-echo"', 'The body is not JSON'],
    ["{'model':'sim-echo'}", 'The body is not JSON (at position 1)'],
    ['{"model":"sim-echo",}', 'The body is not JSON'],
    ['{"maxTokens":0x10}', 'The body is not JSON'],
    ['{"maxTokens":NaN}', 'The body is not JSON'],
    ['{"maxTokens":01}', 'The body is not JSON'],
    [`${JSON.stringify(good)}{}`, 'The body is not JSON'],
    ['{"model":"a\nb"}', 'The body is not JSON'],
    ['{"model":"a\0b"}', 'The body is not JSON'],
    ['model=sim-echo&maxTokens=1', 'The body is not JSON'],
    ['null', 'The body must be an object; it is null'],
    ['[]', 'The body must be an object; it is a list'],
    ['"text"', 'The body must be an object; it is "text"'],
    ['7', 'The body must be an object; it is 7'],
    ['true', 'The body must be an object; it is true'],
    ['1e400', 'The body is too large for a number'],
    ['-1e400', 'The body is too large for a number'],
  ])('%j', async (text, says) => {
    await expectInvalid(text, [says]);
  });

  test.each([
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ['UTF-16', Buffer.from(JSON.stringify(good), 'utf16le')],
    ['half a surrogate pair in bytes', Buffer.from('{"model":"\xed\xa0\x80"}', 'latin1')],
    ['an overlong form', Buffer.from('{"model":"\xc0\xaf"}', 'latin1')],
  ])('%s', async (_, bytes) => {
    await expectInvalid(bytes, ['The body is not']);
  });
});

describe('an unknown field is named with its path', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
  const call = { id: 'c', name: 'n', input: {} };
  test.each([
    [
      body({ max_tokens: 1 }),
      'max_tokens is an unknown field; did you mean "maxTokens"? The fields are model, messages, maxTokens',
    ],
    [body({ stream: true }), 'stream is an unknown field; write one of model, messages, maxTokens'],
    [body({ tools: [] }), 'tools is an unknown field; write one of model, messages, maxTokens'],
    [body({ '': 1 }), 'is an unknown field; write one of model, messages, maxTokens'],
    [
      body({ constructor: 1 }),
      'constructor is an unknown field; write one of model, messages, maxTokens',
    ],
    [
      body({ toString: 1 }),
      'toString is an unknown field; write one of model, messages, maxTokens',
    ],
    [
      messages({ role: 'user', content: 'a', name: 'b' }),
      'messages[0].name is an unknown field; write one of role, content',
    ],
    [
      messages({ role: 'user', content: 'a' }, { role: 'user', content: 'a', x: 1 }),
      'messages[1].x is an unknown field; write one of role, content',
    ],
    [
      messages({ role: 'system', content: 'a', x: 1 }),
      'messages[0].x is an unknown field; write one of role, content',
    ],
    [
      messages({ role: 'user', content: [{ type: 'text', text: 'a', x: 1 }] }),
      'messages[0].content[0].x is an unknown field; write one of type, text',
    ],
    [
      messages({ role: 'user', content: [{ ...image, url: 'https://x' }] }),
      'messages[0].content[0].url is an unknown field; write one of type, mediaType, data',
    ],
    [
      messages({ role: 'assistant', content: 'a', toolCalls: [{ ...call, type: 'function' }] }),
      'messages[0].toolCalls[0].type is an unknown field; write one of id, name, input',
    ],
    [
      messages({ role: 'assistant', content: 'a', tool_calls: [] }),
      'messages[0].tool_calls is an unknown field; did you mean "toolCalls"?',
    ],
    [
      messages({ role: 'tool', toolCallId: 'c', content: 'a', name: 'n' }),
      'messages[0].name is an unknown field; write one of role, toolCallId, content',
    ],
  ])('%j', async (value, says) => {
    await expectInvalid(value, [says]);
  });

  test('__proto__ is one, at every level', async () => {
    const text = JSON.stringify(good);
    const top = text.replace('{', '{"__proto__":{"maxTokens":1},');
    await expectInvalid(top, ['__proto__ is an unknown field']);
    const inner = text.replace('{"role"', '{"__proto__":null,"role"');
    await expectInvalid(inner, ['messages[0].__proto__ is an unknown field']);
  });
});

describe('a missing field or one of another type is named with its path and its value', () => {
  test.each([
    [body({ model: undefined }), 'model is missing'],
    [body({ messages: undefined }), 'messages is missing'],
    [body({ maxTokens: undefined }), 'maxTokens is missing'],
    [{}, 'model is missing'],
    [body({ model: null }), 'model must be a string; it is null'],
    [body({ model: 7 }), 'model must be a string; it is 7'],
    [body({ model: ['sim-echo'] }), 'model must be a string; it is a list'],
    [body({ model: '' }), 'model must not be empty'],
    [body({ model: 'a'.repeat(129) }), 'model takes at most 128 characters; it has 129'],
    [body({ model: '😀'.repeat(129) }), 'model takes at most 128 characters; it has 129'],
    [body({ model: 'sim\necho' }), 'model must be text without control characters; it is "sim'],
    [body({ model: 'sim\0echo' }), 'model must be text without control characters; it is "sim'],
    [body({ model: 'sim\u0085echo' }), 'model must be text without control characters; it is "sim'],
    [body({ maxTokens: '100' }), 'maxTokens must be a whole number; it is "100"'],
    [body({ maxTokens: null }), 'maxTokens must be a whole number; it is null'],
    [body({ maxTokens: true }), 'maxTokens must be a whole number; it is true'],
    [body({ maxTokens: 1.5 }), 'maxTokens must be a whole number; it is 1.5'],
    [body({ maxTokens: 0 }), 'maxTokens must be a whole number from 1 to 1000000; it is 0'],
    [body({ maxTokens: -1 }), 'maxTokens must be a whole number from 1 to 1000000; it is -1'],
    [body({ maxTokens: 1_000_001 }), 'from 1 to 1000000; it is 1000001'],
    [body({ maxTokens: 1e300 }), 'from 1 to 1000000; it is 1e+300'],
    [body({ userId: 7 }), 'userId must be a string; it is 7'],
    [body({ userId: null }), 'userId must be a string; it is null'],
    [body({ userId: '' }), 'userId must not be empty'],
    [
      body({ userId: 'a/b' }),
      'without "/" and control characters, and neither "." nor ".."; it is "a/b"',
    ],
    [body({ userId: 'a\u007fb' }), 'userId must be 1–128 characters'],
    [body({ userId: '.' }), '1–128 characters without "/" and control'],
    [body({ userId: '..' }), 'neither "." nor ".."; it is ".."'],
    [body({ userId: 'a'.repeat(129) }), 'userId takes at most 128 characters; it has 129'],
    [body({ temperature: '1' }), 'temperature must be a number; it is "1"'],
    [body({ temperature: 2.1 }), 'temperature must be a number from 0 to 2; it is 2.1'],
    [body({ temperature: -0.1 }), 'temperature must be a number from 0 to 2; it is -0.1'],
    [body({ topP: 1.1 }), 'topP must be a number from 0 to 1; it is 1.1'],
    [body({ topP: null }), 'topP must be a number; it is null'],
    [body({ stop: 'END' }), 'stop must be a list; it is "END"'],
    [body({ stop: [''] }), 'stop[0] must not be empty'],
    [body({ stop: ['a', 7] }), 'stop[1] must be a string; it is 7'],
    [body({ stop: Array(9).fill('a') }), 'stop takes at most 8 entries; it has 9'],
    [body({ messages: 'Hello' }), 'messages must be a list; it is "Hello"'],
    [body({ messages: {} }), 'messages must be a list; it is an object'],
    [body({ messages: [] }), 'messages needs at least 1 entry; it has none'],
    [messages('Hello'), 'messages[0]'],
    [messages(null), 'messages[0]'],
    [messages({ content: 'a' }), 'messages[0].role must be one of "system", "user"'],
    [messages({ role: 'developer', content: 'a' }), 'messages[0].role must be one of "system"'],
    [messages({ role: 7, content: 'a' }), 'messages[0].role must be one of'],
    [messages({ role: 'user' }), 'messages[0].content is missing'],
    [messages({ role: 'user', content: null }), 'messages[0].content must be a string or a list'],
    [messages({ role: 'user', content: 7 }), 'messages[0].content must be a string or a list'],
    [messages({ role: 'user', content: [] }), 'messages[0].content needs at least 1 entry'],
    [messages({ role: 'system', content: ['a'] }), 'messages[0].content must be a string'],
    [messages({ role: 'user', content: ['a'] }), 'messages[0].content[0]'],
    [
      messages({ role: 'user', content: [{ type: 'audio' }] }),
      'messages[0].content[0].type must be one of "text", "image"; it is "audio"',
    ],
    [
      messages({ role: 'user', content: [{ type: 'text' }] }),
      'messages[0].content[0].text is missing',
    ],
    [
      messages({ role: 'user', content: [{ type: 'image', mediaType: 'text/html', data: 'AA' }] }),
      'messages[0].content[0].mediaType must be the type of an image, such as image/png; it is "text/html"',
    ],
    [
      messages({ role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: '*' }] }),
      'messages[0].content[0].data must be base64; it is "*"',
    ],
    [
      messages({ role: 'assistant', toolCalls: [{ id: 'c', name: 'n' }] }),
      'messages[0].toolCalls[0].input is missing',
    ],
    [
      messages({ role: 'assistant', toolCalls: [{ id: '', name: 'n', input: 1 }] }),
      'messages[0].toolCalls[0].id must not be empty',
    ],
  ])('%j', async (value, says) => {
    await expectInvalid(value, [says]);
  });
});

describe('numbers that JSON cannot hold', () => {
  test.each(['maxTokens', 'temperature', 'topP'])('1e400 as %s', async (field) => {
    const text = JSON.stringify(body({ [field]: 1 })).replace(`"${field}":1`, `"${field}":1e400`);
    await expectInvalid(text, [`${field} is too large for a number`]);
  });

  test('1e400 in the input of a tool call', async () => {
    const call = { id: 'c', name: 'n', input: [0] };
    const result = { role: 'tool', toolCallId: 'c', content: 'a' };
    const value = messages({ role: 'assistant', toolCalls: [call] }, result);
    const text = JSON.stringify(value).replace('[0]', '[1e400]');
    const path = 'messages[0].toolCalls[0].input[0]';
    await expectInvalid(text, [`${path} is too large for a number`]);
    const digits = JSON.stringify(value).replace('[0]', `[${'9'.repeat(400)}]`);
    await expectInvalid(digits, [`${path} is too large for a number`]);
  });
});

test('a name that is too long to repeat is shortened in the response', async () => {
  const { stack } = shared();
  const name = 'n'.repeat(100_000);
  const answer = await sendBody(stack, 'search', body({ [name]: 1 }));
  expect(answer.status).toBe(400);
  expect(answer.text.length).toBeLessThan(300);
  const model = 'm'.repeat(100_000);
  const long = await sendBody(stack, 'search', body({ model, userId: 7 }));
  expect(long.text.length).toBeLessThan(300);
});

describe('half of a surrogate pair', () => {
  const half = '\\ud83d';
  test.each([
    ['in the model', `{"model":"${half}"}`, 'model'],
    ['in a text', JSON.stringify(good).replace('Hello', half), 'messages[0].content'],
    ['the other half', JSON.stringify(good).replace('Hello', '\\ude00'), 'messages[0].content'],
    ['the wrong way round', JSON.stringify(good).replace('Hello', '\\ude00\\ud83d'), 'messages'],
    ['in capitals', JSON.stringify(good).replace('Hello', '\\uD83D'), 'messages[0].content'],
    [
      'in a stop sequence',
      JSON.stringify(body({ stop: ['x'] })).replace('"x"', `"${half}"`),
      'stop[0]',
    ],
    ['in the user id', JSON.stringify(body({ userId: 'x' })).replace('"x"', `"${half}"`), 'userId'],
  ])('%s', async (_, text, path) => {
    await expectInvalid(text, [path]);
  });

  test('a whole pair is an ordinary character', async () => {
    const { stack, newApp } = shared();
    const text = JSON.stringify(good).replace('Hello', '\\ud83d\\ude00');
    const answer = await sendBody(stack, await newApp(), text);
    expect(answer.body).toMatchObject({ text: '😀, gateway!' });
  });
});

describe('a duplicate name', () => {
  test.each([
    ['at the top', '{"model":"sim-cached",', 'model'],
    ['in a message', '{"role":"system",', 'messages[0].role'],
  ])('%s', async (_, start, path) => {
    const opening = path === 'model' ? '{"model":"sim-echo",' : '{"role":"user",';
    const text = JSON.stringify(good).replace(opening, start + opening.slice(1));
    await expectInvalid(text, [`${path} is given twice`]);
  });

  test('by an escape', async () => {
    const text = JSON.stringify(good).replace('{"model"', '{"m\\u006fdel":"sim-cached","model"');
    await expectInvalid(text, ['model is given twice']);
  });

  test('in the input of a tool call', async () => {
    const call = '{"id":"c","name":"n","input":{"a":[{"b":1,"b":2}]}}';
    const result = { role: 'tool', toolCallId: 'c', content: 'a' };
    const value = messages({ role: 'assistant', toolCalls: ['here'] }, result);
    const text = JSON.stringify(value).replace('"here"', call);
    await expectInvalid(text, ['messages[0].toolCalls[0].input.a[0].b is given twice']);
  });
});

describe('nesting', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const call = { id: 'c', name: 'n', input: 'here' };
  const result = { role: 'tool', toolCallId: 'c', content: 'a' };
  const asInput = (text: string) =>
    JSON.stringify(messages({ role: 'assistant', toolCalls: [call] }, result)).replace(
      '"here"',
      text,
    );

  test('of 300,000 levels is too deep', async () => {
    await expectInvalid(deep(300_000), ['deeper than 64 levels']);
  });

  test.each([65, 1_000, 100_000])('of %d levels is too deep anywhere', async (levels) => {
    await expectInvalid(deep(levels), ['deeper than 64 levels']);
    await expectInvalid(`{"model":${deep(levels)}}`, ['deeper than 64 levels']);
    await expectInvalid(asInput(deep(levels)), ['deeper than 64 levels']);
    await expectInvalid(asInput(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`), [
      'deeper than 64 levels',
    ]);
  });

  test('of 64 levels is accepted', async () => {
    const { stack, newApp } = shared();
    // The body, its messages, a message, its calls and a call are 5 levels.
    const answer = await sendBody(stack, await newApp(), asInput(deep(59)));
    expect(answer.status).toBe(200);
  });

  test('does not include brackets in a text', async () => {
    const { stack, newApp } = shared();
    const prompt = { messages: [{ role: 'user', content: `${'[{"'.repeat(200)}\\` }] };
    const answer = await sendBody(stack, await newApp(), body({ ...prompt, maxTokens: 1_000 }));
    expect(answer.status).toBe(200);
  });
});
