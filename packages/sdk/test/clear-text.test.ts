import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { createClient } from '../src/index.ts';
import { createFakeClient } from '../src/testing.ts';

let warn: MockInstance<typeof process.emitWarning>;
beforeEach(() => {
  warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});
afterEach(() => {
  warn.mockRestore();
});

const apiKey = 'mgk_a-key-that-nobody-has';

test('a key sent to another machine unencrypted causes one warning for each host', () => {
  for (const baseUrl of ['http://a.example.com/v1', 'http://a.example.com/v1']) {
    createClient({ baseUrl, apiKey });
  }
  createClient({ baseUrl: 'http://10.0.0.7:8787/v1', apiKey });
  expect(warn.mock.calls.map(([text]) => text)).toEqual([
    expect.stringContaining('a.example.com gets the API key unencrypted'),
    expect.stringContaining('10.0.0.7:8787 gets the API key'),
  ]);
  expect(JSON.stringify(warn.mock.calls)).not.toContain(apiKey);
});

test.each([
  ['https://b.example.com/v1'],
  ['http://localhost:8787/v1'],
  ['http://a.localhost/v1'],
  ['http://127.0.0.1:8787/v1'],
  ['http://[::1]:8787/v1'],
  ['http://gateway.test/v1'],
  ['http://fake.invalid/v1'],
])('%s causes none', (baseUrl) => {
  createClient({ baseUrl, apiKey });
  expect(warn).not.toHaveBeenCalled();
});

test('the fake causes none', () => {
  createFakeClient([]);
  expect(warn).not.toHaveBeenCalled();
});

test('an intended case causes none', () => {
  createClient({ baseUrl: 'http://c.example.com/v1', apiKey, allowInsecure: true });
  expect(warn).not.toHaveBeenCalled();
});
