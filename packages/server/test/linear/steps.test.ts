import { expect, test } from 'vitest';
import { createParser } from '../../src/ingress/body/parse.ts';
import { readJson } from '../../src/ingress/body/read-json.ts';
import { chatBody } from '../../src/ingress/dialects/gateway/body/schemas.ts';
import { numberGrowth } from '../../src/ingress/dialects/gateway/body/size.ts';
import { readUnknownMethod } from '../../src/ingress/http/head.ts';
import { editJson } from '../../src/lib/json-text.ts';
import { stepsOf } from '../support/steps.ts';
import { fileReaders } from './file-readers.ts';
import { platformReaders } from './platform-readers.ts';
import type { Reader } from './reader.ts';
import { inPlaces, json, raw } from './shapes.ts';

// Every kind of reader passes each character a bounded number of times, for any text. `npm run
// prove:linear` measures the same readers with longer texts of the same shapes.

const stepsPerCharacter = 300;
/** Steps of a reader for any text, such as looking up the words of its configuration. */
const stepsAtLeast = 20_000;
const length = 500;

const parse = createParser(chatBody);
const chat = inPlaces(
  '{"model":"a","maxTokens":0,"messages":[{"role":"user","content":"@"},{"role":"assistant","toolCalls":[{"id":"c","name":"f","input":"#"}]}],"wild":"#"}',
);
const texts: readonly Reader[] = [
  {
    name: 'body',
    shapes: { ...json, ...chat },
    read: (text) => readJson('application/json', Buffer.from(text)) && parse(String(text)),
  },
  { name: 'growth of numbers', shapes: json, read: (text) => numberGrowth(String(text)) },
  {
    name: 'change of a body',
    shapes: chat,
    read: (text) => isJson(text) && editJson(String(text), [{ path: ['model'], json: '"b"' }]),
  },
  {
    name: 'head',
    shapes: raw,
    read: (text) => readUnknownMethod(Buffer.from(`FOO / HTTP/1.1\r\nx:${text}`), 0, 16_384),
  },
];

test.each([...texts, ...fileReaders(), ...platformReaders()])('$name', async (reader) => {
  const wrong: string[] = [];
  for (const [shape, write] of Object.entries(reader.shapes)) {
    for (const times of [1, 2, 4]) {
      const text = write(times * length);
      const input = reader.encode?.(text) ?? text;
      const steps = await stepsOf(() => tried(() => reader.read(input)));
      const most = stepsAtLeast + stepsPerCharacter * text.length;
      if (steps > most) wrong.push(`${shape}: ${steps} steps for ${text.length} characters`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Most shapes are rejected. */
async function tried(read: () => unknown): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (error instanceof TypeError) throw error;
  }
}

function isJson(text: string | Uint8Array): boolean {
  try {
    return JSON.parse(String(text)) !== undefined;
  } catch {
    return false;
  }
}
