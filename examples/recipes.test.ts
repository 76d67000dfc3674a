import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { utcDayOf } from '../packages/server/src/lib/clock.ts';
import { formatUsd } from '../packages/server/src/lib/money.ts';
import { openDesk } from '../packages/server/test/cli/support/desk.ts';
import { expectClean, readCalls } from '../packages/server/test/support/books.ts';
import { startServer, type TestServer } from '../packages/server/test/support/server.ts';
import { readRepositoryFile, rootFolder, tableRows, withoutQuotes } from './testing/markdown.ts';
import { serviceAccount } from './testing/recipes/google-platforms.ts';
import { openNetwork, type Received, type Sent } from './testing/recipes/network.ts';
import { recipePlatforms } from './testing/recipes/platforms.ts';
import {
  answerText,
  maxTokens,
  prompt,
  type RecipePlatform,
} from './testing/recipes/recipe-platform.ts';

// Each recipe as written, with only its variables, against the documented wire of its platform.

const names = Object.keys(recipePlatforms);
const fileOf = (name: string) => `examples/recipes/${name}.yaml`;

afterEach(() => vi.unstubAllEnvs());

/** The expected request; the platform rejects any other one as platforms do. */
function expectedOf(platform: RecipePlatform, isStream: boolean) {
  const { url, streamUrl = url, headers, body, streamBody } = platform;
  return {
    ...{ method: 'POST', url: isStream ? streamUrl : url },
    headers: expect.objectContaining({ ...headers, 'content-type': 'application/json' }),
    body: isStream ? { ...body, ...streamBody } : body,
  };
}

function answerOf(platform: RecipePlatform, request: Received): Sent {
  const other = platform.also?.(request);
  if (other !== undefined) return other;
  const { url, streamUrl = url, headers, whole, events } = platform;
  if (request.method !== 'POST' || ![url, streamUrl].includes(request.url)) {
    return {
      status: 404,
      json: { error: { message: 'Not found', type: 'invalid_request_error' } },
    };
  }
  const isAllowed = Object.entries(headers).every(
    ([name, value]) => request.headers[name] === value,
  );
  if (!isAllowed) return { status: 401, json: { error: { message: 'Unauthorized' } } };
  const isStream = request.url !== url || JSON.parse(request.text).stream === true;
  return isStream ? { events } : { json: whole };
}

describe.each(names)('%s', (name) => {
  const platform = recipePlatforms[name];
  if (platform === undefined) throw new Error(name);
  const yaml = readRepositoryFile(fileOf(name));
  const environment = platform.variables;

  test('is a whole file of at most 25 lines that "config check" accepts', async () => {
    expect(yaml.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
    const desk = await openDesk({ yaml, environment });
    const checked = await desk.run(['config', 'check', '--config', desk.file]);
    const listed = await desk.records(['models', 'list']);
    await desk.close();
    expect(checked).toMatchObject({ code: 0, errors: [] });
    expect(listed.find(({ id }) => id === platform.model)).toMatchObject({ priced: true });
  });

  test('serves a call and a stream, and books both exactly', async () => {
    const localPorts = [8_000, 30_000, 11_434];
    const network = await openNetwork({ localPorts, answer: (sent) => answerOf(platform, sent) });
    const desk = await openDesk();
    const credentials = join(desk.folder, 'credentials.json');
    writeFileSync(credentials, serviceAccount());
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', credentials);
    const server = await startServer({ yaml, environment });
    try {
      const called = await callModel(server, '/v1/chat', platform, {});
      const streamed = await callModel(server, '/openai/v1/chat/completions', platform, {
        stream: true,
      });
      const sent = network.received
        .filter((request) => platform.also?.(request) === undefined)
        .map(({ method, url, headers, text }) => ({
          method,
          url,
          headers,
          body: JSON.parse(text),
        }));
      expect(sent).toEqual([expectedOf(platform, false), expectedOf(platform, true)]);
      expect(called).toContain(answerText);
      expect(streamed).toContain(answerText);
      const calls = await readCalls(server.store, 'search', utcDayOf(server.clock.now()));
      const { costUsd } = platform;
      const booked = calls.map(({ basis, cost }) => ({ basis, costUsd: formatUsd(cost) }));
      expect(booked).toEqual([
        { basis: 'exact', costUsd },
        { basis: 'exact', costUsd },
      ]);
      await expectClean(server);
    } finally {
      await server.close();
      await desk.close();
      network.close();
    }
  });
});

async function callModel(
  server: TestServer,
  path: string,
  { model }: RecipePlatform,
  more: object,
) {
  const limit = path.startsWith('/openai') ? { max_tokens: maxTokens } : { maxTokens };
  const messages = [{ role: 'user', content: prompt }];
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': await server.key('search'), 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, ...limit, ...more }),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

test('each file has its platform', () => {
  const files = readdirSync(join(rootFolder, 'examples/recipes'));
  expect(files.toSorted()).toEqual(names.map((name) => `${name}.yaml`));
});

test('docs/platforms.md has a row for each recipe, with its variables', () => {
  const rows = tableRows(readRepositoryFile('docs/platforms.md'));
  const shown = rows.map(([, file = '', variables = '']) => [
    /recipes\/([\w-]+)\.yaml/.exec(file)?.[1] ?? '',
    [...variables.matchAll(/`(\w+)`/g)].map(([, variable]) => variable).toSorted(),
  ]);
  const expected = names.map((name) => [
    name,
    Object.keys(recipePlatforms[name]?.variables ?? {}).toSorted(),
  ]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
  expect(rows.every((row) => row.every((cell) => withoutQuotes(cell) !== ''))).toBe(true);
});
