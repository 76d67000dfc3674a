import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readUsage } from '../../src/platforms/evidence/read-usage.ts';

/** The counts of each vendor of servers with chat completions, and their parsed form. */
interface GoldenUsage {
  readonly maker: string;
  readonly counts: string;
  readonly usage: Readonly<Record<string, unknown>>;
  readonly read: Readonly<Record<string, unknown>>;
}

const folder = new URL('./golden/usage/', import.meta.url);

function golden(file: string): GoldenUsage {
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
}

const files = readdirSync(folder).sort();

test('the vendors are these', () => {
  expect(files.map((file) => file.replace('.json', '')).sort()).toEqual([
    ...['deepseek', 'gemini', 'gemini-with-details', 'groq', 'llama-cpp', 'mistral', 'moonshot'],
    ...['ollama', 'openai', 'vllm', 'xai'],
  ]);
});

test.each(files)('%s', (file) => {
  const { maker, usage, read } = golden(file);
  const found = Object.entries(readUsage({ usage })).filter(([, count]) => count !== undefined);
  expect(Object.fromEntries(found), maker).toEqual(read);
});
