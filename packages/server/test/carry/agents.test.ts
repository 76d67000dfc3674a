import { createClient, tool } from '@model-gateway/sdk';
import { beforeEach, describe, expect, test } from 'vitest';
import { fieldOf, isRecord } from '../../src/lib/json-value.ts';
import { openVendorHouse } from './support/house.ts';
import { turns, vendors } from './support/vendors.ts';

// Agents of 5 turns, on platforms that reject a turn without their output of earlier turns.

const house = openVendorHouse();
beforeEach(() => void house.sent());
const { google: _, ...others } = vendors;
const packages = ['sdk-deepseek', 'sdk-claude', 'sdk-google'];
const models = [...Object.keys(others), ...packages];
const streamed = [false, true];
const cases = models.flatMap((model) => streamed.map((stream) => [model, stream] as const));

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
} as const;
const hello = { role: 'user', content: 'Where does it rain?' };
const last = 'It rains in all of them.';

type Fields = Readonly<Record<string, unknown>>;

/** The data of events, in order. */
function dataIn(text: string): readonly Fields[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('data: {')) return [];
    const event: unknown = JSON.parse(line.slice('data: '.length));
    return isRecord(event) ? [event] : [];
  });
}

function listIn(value: unknown, name: string): readonly Fields[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/**
 * The turns of an agent. The two functions return the next request, and the part of the response
 * that the caller sends back.
 */
async function runTurns(
  ask: (messages: readonly object[]) => Promise<readonly object[]>,
): Promise<readonly object[]> {
  const messages: object[] = [hello];
  for (let turn = 1; turn <= turns; turn++) messages.push(...(await ask(messages)));
  return messages;
}

describe('/v1/agents/run', () => {
  const tools = [{ name: 'weather', inputSchema: parameters }];

  test.each(cases)('%s continues to its last turn; streamed: %s', async (model, stream) => {
    const path = stream ? '/v1/agents/stream' : '/v1/agents/run';
    const messages = await runTurns(async (list) => {
      const response = await house.post(path, { model, maxTokens: 100, messages: list, tools });
      expect(response.status, response.text).toBe(200);
      expect(response.headers.get('x-dropped-fields')).toBeNull();
      const finish = stream ? dataIn(response.text).at(-1) : response.body;
      const message = fieldOf(finish, 'message');
      const results = listIn(message, 'toolCalls').map(({ id }) => {
        return { role: 'tool', toolCallId: id, content: 'Rain' };
      });
      return isRecord(message) ? [message, ...results] : [];
    });
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: last });
    expect(house.sent()).toHaveLength(turns);
  });

  test.each(models)('%s continues with the client’s `runAgent`', async (model) => {
    const apiKey = await house.stack().key('search');
    const { fetch, clock } = house.stack();
    const client = createClient({ baseUrl: 'http://gateway.test/v1', apiKey, fetch });
    const run = client.runAgent({
      ...{ model, maxTokens: 100, messages: [{ role: 'user', content: hello.content }] },
      tools: [
        tool<{ city: string }>({ name: 'weather', input: parameters, execute: () => 'Rain' }),
      ],
    });
    const { text, stopReason } = await clock.run(run);
    expect([text, stopReason]).toEqual([last, 'done']);
    expect(house.sent()).toHaveLength(turns);
  });
});

describe('/openai/v1/chat/completions', () => {
  const tools = [{ type: 'function', function: { name: 'weather', parameters } }];
  const path = '/openai/v1/chat/completions';

  test.each(cases)('%s continues to its last turn; streamed: %s', async (model, stream) => {
    const messages = await runTurns(async (list) => {
      const response = await house.post(path, {
        model,
        max_tokens: 100,
        messages: list,
        tools,
        stream,
      });
      expect(response.status, response.text).toBe(200);
      expect(response.headers.get('x-dropped-fields')).toBeNull();
      const message = stream ? folded(dataIn(response.text)) : messageIn(response.body);
      const results = listIn(message, 'tool_calls').map(({ id }) => {
        return { role: 'tool', tool_call_id: id, content: 'Rain' };
      });
      return [message, ...results];
    });
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: last });
    expect(house.sent()).toHaveLength(turns);
  });
});

function messageIn(body: unknown): Fields {
  const message = fieldOf(listIn(body, 'choices')[0], 'message');
  return isRecord(message) ? message : {};
}

/** A message as clients assemble it: texts and lists are joined, calls by their indexes. */
function folded(chunks: readonly Fields[]): Fields {
  const message: Record<string, unknown> = {};
  const calls: Record<string, unknown>[] = [];
  for (const chunk of chunks) {
    const delta = fieldOf(listIn(chunk, 'choices')[0], 'delta');
    for (const [name, value] of Object.entries(isRecord(delta) ? delta : {})) {
      if (name !== 'tool_calls') message[name] = joined(message[name], value, name);
    }
    for (const { index, function: called, ...rest } of listIn(delta, 'tool_calls')) {
      const call = calls[Number(index)] ?? {};
      calls[Number(index)] = { ...call, ...rest, function: merged(call.function, called) };
    }
  }
  return calls.length === 0 ? message : { ...message, tool_calls: calls };
}

function joined(before: unknown, value: unknown, name: string): unknown {
  if (name === 'role') return value;
  if (typeof value === 'string' && typeof before === 'string') return before + value;
  return Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value;
}

function merged(before: unknown, piece: unknown): unknown {
  const all: Record<string, unknown> = isRecord(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(isRecord(piece) ? piece : {}))
    all[name] = joined(all[name], value, '');
  return all;
}

describe('relayed', () => {
  const tools = [{ name: 'weather', input_schema: parameters }];

  test.each(streamed)('/anthropic/v1/messages: streamed: %s', async (stream) => {
    const messages = await runTurns(async (list) => {
      const body = { model: 'claude', max_tokens: 100, messages: list, tools, stream };
      const response = await house.post('/anthropic/v1/messages', body);
      expect(response.status, response.text).toBe(200);
      const content = stream ? blocksIn(dataIn(response.text)) : listIn(response.body, 'content');
      const results = content.filter(({ type }) => type === 'tool_use');
      const answered = results.map(({ id }) => {
        return { type: 'tool_result', tool_use_id: id, content: 'Rain' };
      });
      const next = answered.length === 0 ? [] : [{ role: 'user', content: answered }];
      return [{ role: 'assistant', content }, ...next];
    });
    expect(JSON.stringify(messages.at(-1))).toContain(last);
    expect(house.sent()).toHaveLength(turns);
  });
});

/** The content of a message as clients assemble its events. */
function blocksIn(list: readonly Fields[]): readonly Fields[] {
  const blocks: Record<string, unknown>[] = [];
  for (const { type, index, content_block: begun, delta } of list) {
    if (type === 'content_block_start') blocks[Number(index)] = { ...Object(begun) };
    const block = blocks[Number(index)];
    if (type !== 'content_block_delta' || block === undefined || !isRecord(delta)) continue;
    const { text, thinking, signature, partial_json: input } = delta;
    if (typeof text === 'string') block.text = `${block.text}${text}`;
    if (typeof thinking === 'string') block.thinking = `${block.thinking}${thinking}`;
    if (typeof signature === 'string') block.signature = `${block.signature}${signature}`;
    if (typeof input === 'string') block.input = JSON.parse(input);
  }
  return blocks;
}
