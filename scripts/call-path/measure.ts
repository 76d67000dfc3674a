import assert from 'node:assert';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { run, start } from '../../harness/process.ts';
import { readyUrl } from '../../harness/server.ts';

// Measures the way of one chat through the service, in its steady state, on the main thread. It
// counts the functions on the stack between the socket of the caller and that of the platform, and
// the entered functions. It also counts how often the reader of the way must open another file. The
// scale: every function is counted, closures too, in the order of entering. The tools of `lib`
// (clocks, ids, time limits) are left out, since nobody opens them to read on. A file, or a room,
// counts each time that the way enters it from another. At commit f50e3c9 that is 133 files and 50
// rooms. A closure on the stack belongs to the named functions of its file, if there are any: 18 at
// that commit.

/** The way of a chat. */
export interface CallPath {
  /** Functions between the sockets, that of the caller first. */
  readonly stack: readonly string[];
  /** All entered functions, in order. */
  readonly entered: readonly string[];
  /** The number of named functions, without closures, and the number of their entries. */
  readonly functions: number;
  readonly times: number;
  readonly fileChanges: number;
  readonly roomChanges: number;
}

/** Serves some chats by an instrumented process, and returns the way of the shortest. */
export async function measureCallPath(): Promise<CallPath> {
  const folder = mkdtempSync(join(tmpdir(), 'call-path-'));
  const platform = createServer(answer);
  try {
    platform.listen(0, '127.0.0.1');
    await once(platform, 'listening');
    const address = platform.address();
    assert(typeof address === 'object' && address !== null, 'it listens on a port');
    const recorded = await record(folder, address.port);
    const stack = recorded.stack.filter((name) => !isPartOf(name, recorded.stack)).toReversed();
    assert(stack.length > 0, 'no call has reached the platform');
    const named = recorded.entered.filter((name) => !isClosure(name));
    const read = recorded.entered.filter((name) => !name.startsWith('lib/'));
    return {
      stack,
      entered: recorded.entered,
      functions: new Set(named).size,
      times: named.length,
      fileChanges: visitsOf(read.map(fileOf)),
      roomChanges: visitsOf(read.map((name) => name.replace(/\/.*/, ''))),
    };
  } finally {
    platform.close();
    rmSync(folder, { recursive: true });
  }
}

function answer(request: IncomingMessage, response: ServerResponse) {
  request.resume().on('end', () => {
    const message = { role: 'assistant', content: 'Hello.' };
    const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'x', model: 'm', choices, usage }));
  });
}

async function record(
  folder: string,
  port: number,
): Promise<{ stack: readonly string[]; entered: readonly string[] }> {
  const pathFile = join(folder, 'path.json');
  const main = ['packages/server/bin/model-gateway.js'];
  const environment = { CALL_PATH_FILE: pathFile, MODEL_GATEWAY_LOG: 'error' };
  const config = join(folder, 'gateway.yaml');
  writeFileSync(config, yamlFor(folder, port));
  const issue = ['keys', 'issue', '--app', 'search', '--email', 'a@acme.example', '--json'];
  const args = [...main, '--config', config];
  const { key } = JSON.parse(await run(process.execPath, [...args, ...issue], { environment }));
  const preload = ['--import', join(import.meta.dirname, 'instrument.ts')];
  const service = start(process.execPath, [...preload, ...args, 'serve'], { environment });
  const url = await readyUrl(service);
  const body = JSON.stringify({
    model: 'm',
    maxTokens: 50,
    messages: [{ role: 'user', content: 'Say hello.' }],
  });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  for (let call = 0; call < 50; call += 1) {
    const answer = await fetch(`${url}/v1/chat`, { method: 'POST', headers, body });
    assert.equal(answer.status, 200, await answer.text());
  }
  await service.end();
  const { calls, stack } = JSON.parse(readFileSync(pathFile, 'utf8'));
  // In the steady state all calls are alike; on a busy machine some include other work.
  const [entered] = calls.toSorted((a: string[], b: string[]) => a.length - b.length);
  return { entered, stack };
}

function yamlFor(folder: string, port: number): string {
  return `company: acme
adminEmail: admin@acme.example
listen: { host: 127.0.0.1, port: 0 }
admin: { host: 127.0.0.1, port: 0 }
store: sqlite:${join(folder, 'gateway.db')}
platforms:
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:${port}/v1", apiKey: none }
models:
  - { id: m, platform: local, inputUsdPerMillion: "1", outputUsdPerMillion: "2", contextTokens: 9000, maxOutputTokens: 900 }
apps:
  - { name: search, dailyBudgetUsd: "50" }
`;
}

function isClosure(name: string): boolean {
  return name.endsWith(':=>');
}

/** A closure is part of its enclosing function, if that is also on the way. */
function isPartOf(name: string, names: readonly string[]): boolean {
  if (!isClosure(name)) return false;
  return names.some((other) => !isClosure(other) && fileOf(other) === fileOf(name));
}

function fileOf(name: string): string {
  return name.replace(/:.*/, '');
}

/** The number of changes to another file or room. */
function visitsOf(names: readonly string[]): number {
  return names.filter((name, at) => name !== names[at - 1]).length;
}
