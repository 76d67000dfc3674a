import { describe, expect, test } from 'vitest';
import type { SendRequest } from '../../src/platforms/http/transport.ts';
import {
  createOpenAiEmbeddings,
  readUsage,
  readVectors,
} from '../../src/platforms/wires/openai-embeddings/openai-embeddings.ts';

const base64Of = (floats: readonly number[]) =>
  Buffer.from(Float32Array.from(floats).buffer).toString('base64');

describe('numbers are parsed as they were written', () => {
  test.each([
    ['decimals', [0.1, -1e-45, 3.4028234663852886e38, 0]],
    ['decimals of a double', [-0.006929283495992422, 1 / 3]],
  ])('%s', (_name, embedding) => {
    expect(readVectors([{ index: 0, embedding }])).toEqual([embedding]);
  });

  test('32-bit floats in base64, each of them exactly', () => {
    const floats = [0.1, -0.006929283495992422, 1.401298464324817e-45, -0];
    const [vector] = readVectors([{ index: 0, embedding: base64Of(floats) }]) ?? [];
    expect(Array.from(vector ?? [])).toEqual(floats.map(Math.fround));
  });
});

describe('vectors are in the order of their texts', () => {
  test('whatever the order of the response', () => {
    const data = [
      { index: 1, embedding: [2] },
      { index: 0, embedding: [1] },
    ];
    expect(readVectors(data)).toEqual([[1], [2]]);
    expect(readVectors([{ embedding: [1] }, { embedding: [2] }])).toEqual([[1], [2]]);
  });

  test.each([
    ['an index twice', [entry(0), entry(0)]],
    ['an index beyond the end', [entry(0), entry(2)]],
    ['a negative one', [entry(-1)]],
    ['one that is no number', [{ index: '0', embedding: [1] }]],
  ])('%s makes all of them unreliable', (_name, data) => {
    expect(readVectors(data)).toEqual([]);
  });

  test.each([
    ['null', null],
    ['a number', 1],
    ['a list with a null', [1, null]],
    ['a list with a text', ['1']],
    ['base64 of five bytes', 'AAAAAAA='],
    ['no base64', '!!!!'],
    ['not a number', base64Of([Number.NaN])],
    ['infinity', base64Of([Number.POSITIVE_INFINITY])],
  ])('%s is an empty one', (_name, embedding) => {
    expect(readVectors([entry(0), { index: 1, embedding }])).toEqual([[1], []]);
  });

  test.each([undefined, null, {}, 'data'])('%s is not a list of them', (data) => {
    expect(readVectors(data)).toBeUndefined();
  });
});

function entry(index: number) {
  return { index, embedding: [1] };
}

describe('counts', () => {
  test.each([
    [{ prompt_tokens: 8, total_tokens: 8 }, 8, 0, 'exact'],
    [{ total_tokens: 8 }, 8, 0, 'exact'],
    [{ prompt_tokens: 8, completion_tokens: 0, total_tokens: 8 }, 8, 0, 'exact'],
    [{ prompt_tokens: 8, total_tokens: 11 }, 8, 3, 'unexplained-total'],
    [{}, undefined, 0, 'exact'],
    [undefined, undefined, undefined, 'exact'],
  ])('%j', (usage, inputTokens, outputTokens, doubt) => {
    const read = readUsage({ usage });
    expect(read).toMatchObject({ inputTokens, outputTokens });
    expect(read.doubts[0]?.reason ?? 'exact').toBe(doubt);
  });
});

test.each([
  ['base64', 2_048 * 3_072 * 6],
  ['float', 256 * 1_024 * 1_024 - 1_048_576],
] as const)(
  'requested as %s, 2,048 texts of 3,072 numbers are accepted',
  async (encodingFormat, bytes) => {
    const asked: SendRequest[] = [];
    const port = createOpenAiEmbeddings({
      ...{ path: '/embeddings', headers: {}, projectHeader: undefined, encodingFormat },
      context: { clock: { now: () => 0, monotonic: () => 0, after: () => ({ cancel() {} }) } },
      redact: (text) => text,
      send(request) {
        asked.push(request);
        const body = Buffer.from('{"data":[],"usage":{"prompt_tokens":1}}');
        return Promise.resolve({ status: 200, headers: {}, body });
      },
    })('upstream');
    const texts = Array.from({ length: 2_048 }, () => 'x');
    const request = { messages: [], maxTokens: 0, embed: { texts, dimensions: 3_072 } };
    const outcome = await port.attempt(request, { signal: new AbortController().signal });
    expect(outcome).toMatchObject({ kind: 'answered', vectors: [], usage: { inputTokens: 1 } });
    const [sent] = asked;
    expect(sent?.answerBytesMax).toBeGreaterThanOrEqual(Math.min(bytes, 2_048 * 3_072 * 32));
    expect(sent?.answerBytesMax).toBeLessThanOrEqual(256 * 1_024 * 1_024);
    const { input, ...body } = JSON.parse(sent?.body ?? '');
    expect(input).toEqual(texts);
    expect(body).toEqual({ model: 'upstream', dimensions: 3_072, encoding_format: encodingFormat });
    expect(port.streams).toBe(false);
  },
);

test.each([
  ['a count', `{"data":[],"usage":{"prompt_tokens":${'1'.repeat(401)}}}`],
  ['a number of a vector', `{"data":[{"index":0,"embedding":[0.5,0.${'1'.repeat(400)}]}]}`],
])('%s of more than 400 characters makes a response unusable', async (_, text) => {
  const port = createOpenAiEmbeddings({
    ...{ path: '/embeddings', headers: {}, projectHeader: undefined, encodingFormat: 'float' },
    context: { clock: { now: () => 0, monotonic: () => 0, after: () => ({ cancel() {} }) } },
    redact: (given) => given,
    async send({ openReader }) {
      const head = { status: 200, headers: {} };
      openReader?.(head, { pause() {}, resume() {} })?.read(Buffer.from(text));
      return { ...head, body: Buffer.alloc(0) };
    },
  })('upstream');
  const request = { messages: [], maxTokens: 0, embed: { texts: ['x'] } };
  const outcome = await port.attempt(request, { signal: new AbortController().signal });
  const unusable = { kind: 'failed', code: 'SERVER', billed: 'unknown', isRetryable: false };
  expect(outcome).toMatchObject({ ...unusable, status: 200, usage: undefined });
});

test('this wire format cannot express a conversation', async () => {
  const port = createOpenAiEmbeddings({
    ...{ path: '/embeddings', headers: {}, projectHeader: undefined, encodingFormat: 'float' },
    context: { clock: { now: () => 0, monotonic: () => 0, after: () => ({ cancel() {} }) } },
    redact: (text) => text,
    send: () => Promise.reject(new Error('nothing is to be sent')),
  })('upstream');
  const messages = [{ role: 'user', content: 'Hi' }] as const;
  const options = { signal: new AbortController().signal };
  const outcome = await port.attempt({ messages, maxTokens: 5 }, options);
  expect(outcome).toMatchObject({ kind: 'failed', code: 'BAD_REQUEST', billed: 'no' });
});

test('an error next to no vectors has the status that it names', async () => {
  const body = Buffer.from('{"data":[],"error":{"code":"503","message":"busy"}}');
  const port = createOpenAiEmbeddings({
    ...{ path: '/embeddings', headers: {}, projectHeader: undefined, encodingFormat: 'float' },
    context: { clock: { now: () => 0, monotonic: () => 0, after: () => ({ cancel() {} }) } },
    redact: (text) => text,
    send: () => Promise.resolve({ status: 200, headers: {}, body }),
  })('upstream');
  const request = { messages: [], maxTokens: 0, embed: { texts: ['x'] } };
  const outcome = await port.attempt(request, { signal: new AbortController().signal });
  expect(outcome).toMatchObject({ kind: 'failed', billed: 'no', isRetryable: true, status: 503 });
});
