import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { apiErrors } from '@model-gateway/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOf } from '../../../../harness/process.ts';
import type { GatewayCode } from '../../src/call/failure.ts';
import type { ClientCode } from '../../src/call/llm-error.ts';
import { type FakeGateway, serveFakeGateway } from '../../test/fake-gateway.ts';
import { compile, linkPackages, type Packed, pack, root } from './pack.ts';

const readme = readFileSync(join(root, 'packages/sdk/README.md'), 'utf8');
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1] ?? '');
const pageText = `0.000183
${['You ', 'said: ', 'Hello'].map((text) => `event: text\ndata: ${JSON.stringify({ text })}\n\n`).join('')}event: finish\ndata: {}\n\n\n`;
const logged = `attempt 1: WALLET_BUSY
chat 1 WALLET_BUSY
chat 2 OK
req_flaky 2 false true 0.000183 call-1
chat 1 TRUNCATED
TRUNCATED req_truncated 0.0000096
`;
/** The output of each of them. */
const printed = [
  'You said: Hello 0.000183\n',
  'OSLO 8\n',
  'coat-7:1:call-1\n1 1\n2 0\nIt is 7 degrees in Oslo. done 0.000366\n',
  'You |said: |Hello|You said: Hello 0.000183\nYou |You \nYou said: cut 0.000183\n',
  pageText,
  'You said: Hello 0.000183\n',
  'You said: Hello 0.000183\n',
  'THROTTLED 429 0\nIt is 7 degrees in Oslo.\n',
  logged,
  '49.5 of 50 left after 7 calls\n999.5 of 1000 credits left\nm 0.6\n1.285585 budget 44720\n',
  '',
];
let packed: Packed;
let gateway: FakeGateway;
let folder: string;

beforeAll(async () => {
  [packed, gateway] = await Promise.all([pack(), serveFakeGateway()]);
  await linkPackages(packed.project, ['ai', 'zod', '@types/node']);
  folder = join(packed.project, 'examples');
  await mkdir(folder);
  await Promise.all(
    examples.map((code, index) => writeFile(join(folder, `example-${index + 1}.mts`), code)),
  );
});

afterAll(async () => {
  gateway?.close();
  await packed?.remove();
});

describe('the examples of the README', () => {
  test('all are checked', () => {
    expect(examples).toHaveLength(printed.length);
  });

  test('compile in a strict project', async () => {
    const compilerOptions = {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
    };
    const config = JSON.stringify({ compilerOptions, include: ['*.mts'] });
    await writeFile(join(folder, 'tsconfig.json'), config);
    expect(await compile(folder)).toBe('');
  });

  test.each([...printed.keys()])('run: number %i prints the expected output', async (index) => {
    const env = {
      PATH: process.env.PATH,
      MODEL_GATEWAY_URL: gateway.baseUrl,
      MODEL_GATEWAY_KEY: 'mgk_readme',
    };
    const file = join(folder, `example-${index + 1}.mts`);
    expect(await endOf(process.execPath, [file], { env })).toMatchObject({
      code: 0,
      stdout: printed[index],
      stderr: '',
    });
  });
});

describe('a proxy', () => {
  test('of the environment is used as in the README', async () => {
    const requests: unknown[] = [];
    const proxy = createServer();
    proxy.on('connect', (incoming, socket) => {
      requests.push(incoming.url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = Object(proxy.address());
    const file = join(folder, 'example-1.mts');
    const env = {
      PATH: process.env.PATH,
      MODEL_GATEWAY_URL: 'https://gateway.invalid/v1',
      MODEL_GATEWAY_KEY: 'mgk_readme',
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      NODE_USE_ENV_PROXY: '1',
    };
    expect(readme).toContain('`NODE_USE_ENV_PROXY=1`');
    const { code } = await endOf(process.execPath, [file], { env });
    proxy.close();
    expect(code).toBe(1);
    expect(new Set(requests)).toEqual(new Set(['gateway.invalid:443']));
  });
});

describe('the table of codes in the README', () => {
  // Types, so a new code that is missing here fails to compile.
  const gateway: Readonly<Record<GatewayCode, number>> = {
    FORBIDDEN: 403,
    TOO_MANY_REQUESTS: 429,
    LIMIT_EXCEEDED: 429,
    REQUEST_TOO_LONG: 413,
    GATEWAY_TIMEOUT: 504,
  };
  const client: Readonly<Record<ClientCode, number>> = {
    TIMEOUT: 0,
    NETWORK: 0,
    BAD_RESPONSE: 2,
    ABORTED: 0,
  };
  const rows = new Map(
    [...readme.matchAll(/^\| `([A-Z_]+)` *\|([^|]+)\|/gm)].map(([, code, statuses]) => [
      code ?? '',
      statuses ?? '',
    ]),
  );

  test('has every code, with its status, and no other', () => {
    const api = Object.entries(apiErrors).map(([code, { status }]) => [code, status] as const);
    const all = [...api, ...Object.entries(gateway), ...Object.entries(client)];
    for (const [code, status] of all) expect(`${code} ${rows.get(code)}`).toContain(`${status}`);
    const codes = new Set(all.map(([code]) => code));
    expect([...rows.keys()].filter((code) => !codes.has(code))).toEqual([]);
  });
});
