import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasContent, readError, readErrorBody } from '../../src/platforms/redaction/error-body.ts';

describe('no error object', () => {
  it.each([
    ['null', { error: null }],
    ['false', { error: false }],
    ['an empty text', { error: '' }],
    ['an empty object', { error: {} }],
    ['a list', { error: [] }],
    ['a number', { error: 1 }],
    ['a code of success', { code: 0, message: 'ok', data: null }],
    ['a code of 200', { code: 200, message: 'OK' }],
    ['a word of success', { code: 'Success', message: 'done' }],
    ['a base_resp of success', { base_resp: { status_code: 0, status_msg: '' }, choices: null }],
    ['no code', { code: null, message: 'hello' }],
    ['a list of nothing', []],
    ['a list of errors of none', [{ error: null }]],
    ['text', 'error'],
    ['null itself', null],
    ['an empty detail', { detail: '' }],
    ['a response in progress', { status: 'in_progress', error: null, output: [] }],
    ['a choice that stopped', { choices: [{ message: { content: '' }, finish_reason: 'stop' }] }],
    ['an event', { type: 'ping' }],
    ['an event with code', { type: 'response.code_interpreter_call_code.done', code: 'a' }],
    ['a message event', { type: 'message_start', message: { usage: {}, content: [] } }],
  ])('%s', (_, body) => {
    expect(readError(body)).toBe(undefined);
  });

  it.each([
    ['a completion', { choices: [{ message: { content: 'hi' } }] }],
    ['a call', { choices: [{ message: { content: null, tool_calls: [{ id: 'a' }] } }] }],
    ['reasoning', { choices: [{ delta: { reasoning_content: 'hm' } }] }],
    ['a message', { content: [{ type: 'text', text: 'hi' }] }],
    ['a response', { output: [{ type: 'message' }], status: 'failed' }],
    ['embeddings', { data: [{ embedding: [1] }] }],
  ])('replaces the content of %s', (_, body) => {
    expect(hasContent(body)).toBe(true);
    expect(readError({ ...body, error: { code: 429 } })).toBe(undefined);
    // Its text is still read, for the record.
    expect(readErrorBody(JSON.stringify({ ...body, error: { code: 429 } })).named).toBe(429);
  });
});

describe('the status that an error object names', () => {
  it.each<[string, object, number | undefined]>([
    ['a number', { code: 429 }, 429],
    ['a number as text', { code: '503' }, 503],
    ['the number before a word', { code: 503, type: 'rate_limit_error' }, 503],
    ['a word', { type: 'overloaded_error' }, 529],
    ['the code before the type', { code: 'model_not_found', type: 'invalid_request_error' }, 404],
    ['the type behind a code of no meaning', { code: 'x', type: 'rate_limit_error' }, 429],
    ['its status', { code: 8, status: 'RESOURCE_EXHAUSTED' }, 429],
    ['http_code', { http_code: '429', type: 'insufficient_balance_error' }, 429],
    ['any case of letters', { type: 'Overloaded_Error' }, 529],
    ['nothing', { message: 'no' }, undefined],
    ['a word of no meaning', { code: 'oh' }, undefined],
    ['399', { code: 399 }, undefined],
    ['600', { code: 600 }, undefined],
    ['a negative one', { code: -429 }, undefined],
    ['a fraction', { code: 429.5 }, undefined],
    ['a huge one', { code: 1e300 }, undefined],
    ['a padded one', { code: '0429' }, undefined],
    ['one with blanks', { code: ' 429 ' }, undefined],
    ['true', { code: true, message: 'no' }, undefined],
    ['a list', { code: [429], message: 'no' }, undefined],
    ['an object', { code: { code: 429 } }, undefined],
  ])('%s', (_, error, named) => {
    expect(readError({ error })).toMatchObject({ named });
    expect(readError([{ error }])).toMatchObject({ named });
    expect(readError({ choices: null, error })).toMatchObject({ named });
    expect(readErrorBody(JSON.stringify({ error })).named).toBe(named);
  });

  it('may be a text that is one of the known words', () => {
    expect(readError({ error: 'overloaded_error' })).toMatchObject({ named: 529 });
    expect(readError({ error: 'Out of memory' })).toMatchObject({ named: undefined });
  });

  it('is the last of two with one name', () => {
    const twice = '{"error":{"code":500},"error":{"code":429}}';
    expect(readErrorBody(twice).named).toBe(429);
    expect(readErrorBody('{"error":{"code":429},"error":null}').named).toBe(undefined);
  });
});

it('reads anything without an exception, and no invalid status', () => {
  const names = [
    'error',
    'code',
    'status',
    'type',
    'choices',
    'errors',
    'base_resp',
    'detail',
    'msg',
  ];
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>(null, true, 429, '429', 'error', 'failed', '', -1, 1e300, {}, []),
      fc.array(tie('any'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom(...names, 'message', 'object'), tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  fc.assert(
    fc.property(value, (body) => {
      const named = readError(body)?.named ?? 500;
      expect(named).toBeGreaterThanOrEqual(400);
      expect(named).toBeLessThanOrEqual(599);
      expect(
        readErrorBody(JSON.stringify(body) ?? '').codes.every((code) => code.length < 65),
      ).toBe(true);
    }),
  );
});
