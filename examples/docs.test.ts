import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { apiErrors, bodyLimits, defaultLimits, gatewayErrors } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import { CallError } from '../packages/server/src/calls/model/call-error.ts';
import { appSchema } from '../packages/server/src/config/apps.ts';
import { configSchema } from '../packages/server/src/config/file-keys.ts';
import { defaultPlans, defaultRetry } from '../packages/server/src/config/limits.ts';
import { loadConfig } from '../packages/server/src/config/load-config.ts';
import { modelSchema } from '../packages/server/src/config/models.ts';
import type { Config } from '../packages/server/src/domain/config.ts';
import { platformKinds } from '../packages/server/src/domain/platform-kinds/platform-kinds.ts';
import { refuse } from '../packages/server/src/ingress/dialects/gateway/refuse.ts';
import { refused } from '../packages/server/src/ingress/exchange/refusal.ts';
import { createListener } from '../packages/server/src/ingress/http/listener.ts';
import { slowBodies } from '../packages/server/src/ingress/limits/bodies.ts';
import { cpuBudget } from '../packages/server/src/json-schema/cpu-budget.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createIds } from '../packages/server/src/lib/id.ts';
import { makeKey } from '../packages/server/src/registry/key-format.ts';
import { openStack } from '../packages/server/test/support/stack.ts';
import { seenByClient } from '../scripts/tables/seen-by-client.ts';
import {
  codeBlocks,
  readRepositoryFile,
  rootFolder,
  sectionOf,
  tableRows,
  withoutQuotes,
} from './testing/markdown.ts';

const errors = readRepositoryFile('docs/errors.md');
const ledger = readRepositoryFile('docs/ledger.md');
const configuration = readRepositoryFile('docs/configuration.md');

describe('docs/errors.md', () => {
  const rows = tableRows(errors).filter(([status]) => /^\d{3}$/.test(status ?? ''));

  test("has a row for each code, with its status, its condition and the client's reaction", () => {
    const shown = rows
      .filter((row) => (row[1] ?? '').startsWith('`'))
      .map(([status, code, when, , retried]) => [status, withoutQuotes(code), when, retried]);
    const expected = Object.keys(apiErrors).map((name) => {
      const { code, status, when } = codeOf(name);
      const { retried } = seenByClient(refuse(new CallError(code, 'A sentence.')));
      return [String(status), name, when, retried];
    });
    expect(shown.toSorted(byCode)).toEqual(expected.toSorted(byCode));
  });

  test("has a row for each response of the gateway, with the client's name for it", () => {
    const shown = rows
      .filter((row) => !(row[1] ?? '').startsWith('`'))
      .map(([status, message, when, , code, retried]) => [status, message, when, code, retried]);
    const expected = gatewayNames().map((name) => {
      const { status, message, when } = gatewayErrors[name];
      const { code, retried } = seenByClient(refuse(refused(name)));
      return [String(status), message, when, `\`${code}\``, retried];
    });
    expect(shown).toEqual(expected);
  });

  test('shows a body as the service returns it', async () => {
    const stack = await openStack();
    const messages = [{ role: 'user', content: 'Hello' }];
    const body = { model: 'sim-truncated', maxTokens: 100, messages };
    const answer = await stack.post('search', '/v1/chat', body);
    const text = (await answer.text()).replaceAll(/\breq_\w+/g, 'req_…');
    await stack.close();
    expect(JSON.parse(text)).toEqual(JSON.parse(codeBlocks(errors, 'json')[0] ?? ''));
  });
});

type Code = keyof typeof apiErrors;

function codeOf(name: string) {
  if (!isCode(name)) throw new Error(`${name} is no code`);
  return { code: name, ...apiErrors[name] };
}

function isCode(name: string): name is Code {
  return Object.hasOwn(apiErrors, name);
}

function gatewayNames(): readonly (keyof typeof gatewayErrors)[] {
  const isName = (name: string): name is keyof typeof gatewayErrors =>
    Object.hasOwn(gatewayErrors, name);
  return Object.keys(gatewayErrors).filter(isName);
}

function byCode(a: readonly unknown[], b: readonly unknown[]): number {
  return String(a[1]) < String(b[1]) ? -1 : 1;
}

describe('docs/ledger.md', () => {
  test('contains the actual amounts of one call', async () => {
    const stack = await openStack();
    const client = await stack.client('search');
    const amounts = async (moment: string) => {
      const { budget } = await stack.clock.run(client.usage());
      return [moment, budget?.spentUsd, budget?.heldUsd, budget?.remainingUsd];
    };
    const before = await amounts('before');
    // Its name is as long as that of sim-echo, its prices are the same, and it takes two seconds.
    const messages = [{ role: 'user', content: 'Hello, gateway!' }] as const;
    const running = client.chat({ model: 'sim-slow', maxTokens: 100, messages });
    await stack.clock.advance(1_000);
    const during = await amounts('while it runs');
    await stack.clock.run(running);
    const after = await amounts('after it is settled');
    await stack.close();
    const shown = tableRows(sectionOf(ledger, 'Example: one call'));
    expect(shown).toEqual([before, during, after]);
  });

  test('lists the rules that the audit checks', async () => {
    const stack = await openStack();
    const { checks } = await stack.audit();
    await stack.close();
    const checked = new Set(checks.map(({ id }) => id.replace(/-.*/, '')));
    const shown = tableRows(sectionOf(ledger, 'Invariants')).map(([id]) => id);
    expect(shown).toEqual([...checked]);
  });
});

function load(yaml: string) {
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const environment = {
    HOSTED_KEY: 'a key of the environment',
    ...{ HOOK_SECRET: secret, OLD_HOOK_SECRET: secret, SLACK_URL: 'https://hooks.slack.example/x' },
  };
  return loadConfig({ file: '/etc/gateway/gateway.yaml', environment, readFile: () => yaml });
}

function configOf(yaml: string): Config {
  const loaded = load(yaml);
  if ('problems' in loaded) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}

/** The keys of a section, by its schema. */
function keysOf(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const keys = Object.keys(Object(schema.properties));
  expect(keys.length).toBeGreaterThan(5);
  return keys;
}

describe('docs/configuration.md', () => {
  const blocks = codeBlocks(configuration, 'yaml');

  test('shows files that load, and so does the README', () => {
    const shown = [...blocks, ...codeBlocks(readRepositoryFile('README.md'), 'yaml')];
    expect(shown.length).toBeGreaterThanOrEqual(6);
    for (const yaml of shown) expect(load(yaml)).not.toHaveProperty('problems');
  });

  test('shows the actual defaults', () => {
    const [least = '', defaults = ''] = blocks;
    expect(configOf(defaults)).toEqual(configOf(least));
    const numbers = { ...defaultLimits, ...defaultRetry, ...defaultPlans.user };
    for (const name of Object.keys(numbers)) expect(defaults).toContain(`${name}:`);
  });

  test.each([
    ['the file', configSchema(), 'Every key, with its default'],
    ['a model', modelSchema.else, 'Models'],
    ['an app', appSchema, 'Apps'],
  ])('names every key of %s', (_document, schema, heading) => {
    const section = sectionOf(configuration, heading);
    for (const key of keysOf(schema)) expect(section).toMatch(new RegExp(`\\b${key}\\b`));
  });

  test('names every kind of platform', () => {
    const section = sectionOf(configuration, 'Platforms');
    for (const kind of platformKinds) expect(section).toContain(`\`${kind}\``);
  });
});

test('docs/configuration.md names the limits that no key changes', async () => {
  const stack = await openStack();
  const { headersTimeout, requestTimeout, keepAliveTimeout } = createListener(
    stack.service.ingress,
  );
  await stack.close();
  const section = sectionOf(configuration, 'Fixed limits');
  expect(section).toContain(`headers within ${headersTimeout / 1_000} s`);
  expect(section).toContain(`the whole request within ${requestTimeout / 1_000} s`);
  expect(section).toContain(`keep-alive ${keepAliveTimeout / 1_000} s`);
  const { graceMs, bytesPerSecondMin, perKeyMax } = slowBodies;
  expect(section).toContain(`its body within ${graceMs / 1_000} s and a second more`);
  expect(section).toContain(`for each ${bytesPerSecondMin / 1_024} KiB`);
  expect(section).toContain(`${perKeyMax} bodies of a key`);
  expect(section).toContain(`${cpuBudget.cpuMs / 1_000} s of processor time a minute`);
  const { modelCharactersMax, maxTokensMax, stopSequencesMax } = bodyLimits;
  expect(section).toContain(`\`userId\` ${modelCharactersMax} characters`);
  expect(section).toContain(`\`maxTokens\` ${maxTokensMax.toLocaleString('en-US')}`);
  expect(section).toContain(`${stopSequencesMax} stop sequences`);
});

test('docs/security.md describes how a key is made', () => {
  const ids = createIds(systemClock);
  const { id, key } = makeKey(ids);
  const [, , rest = ''] = key.split('_');
  const shown = /(\d+) characters that name it, (\d+) random ones .*, and (\d+) that/.exec(
    readRepositoryFile('docs/security.md'),
  );
  const [name = 0, random = 0, checksum = 0] = (shown ?? []).slice(1).map(Number);
  expect([id.length, rest.length]).toEqual([name, random + checksum]);
});

describe('the README', () => {
  const readme = readRepositoryFile('README.md');

  test('leads to every document', () => {
    const documents = readdirSync(join(rootFolder, 'docs')).filter((file) => file.endsWith('.md'));
    for (const file of documents) expect(readme).toMatch(new RegExp(`\\(docs/${file}[)#]`));
    expect(readme).toMatch(/^\| finance \| \[\w+\]\(docs\/finance\.md\)/m);
  });

  test('has the start, its output, a picture, bullets and snippets in this order', () => {
    const positions = [
      readme.indexOf('```sh\nnpm ci && npm start\n```'),
      readme.indexOf('Model Gateway is ready at'),
      readme.indexOf('](docs/console-today.png)'),
      readme.indexOf('\n- **'),
      readme.indexOf('```js\n'),
      readme.indexOf('```python\n'),
      readme.indexOf('\n| works |'),
    ];
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    const [sentence = ''] = readme.slice('# Model Gateway\n\n'.length).split('\n\n');
    expect(sentence).toMatch(/^[^.]+\.$/);
    expect(sentence.split(' ').length).toBeLessThanOrEqual(20);
    const bullets = readme.slice(positions[3], readme.indexOf('\n\n', positions[3]));
    expect(bullets.trim().split('\n')).toHaveLength(3);
  });

  test('names the exception of its promise next to the promise', () => {
    const claim = readme.split('\n').find((line) => line.includes('**Budgets that hold.**'));
    expect(claim).toContain('[one exception](#demo-and-attack-test) is a platform that bills more');
    expect(sectionOf(readme, 'Demo and attack test')).toMatch(
      /`overstated` shows the one exception: .* 0\.28 %/,
    );
  });

  test('installs the client from a clone, as long as no registry has it', () => {
    const { private: isPrivate, scripts } = JSON.parse(
      readRepositoryFile('packages/sdk/package.json'),
    );
    expect([isPrivate, typeof scripts.prepack]).toEqual([undefined, 'string']);
    for (const text of [readme, readRepositoryFile('packages/sdk/README.md')]) {
      expect(text).toContain('npm pack -w packages/sdk');
      expect(text).toContain('npm install ./model-gateway-sdk-*.tgz');
      expect(text).not.toContain('npm install @model-gateway');
    }
  });
});

test('docs/README.md leads to every document', () => {
  const index = readRepositoryFile('docs/README.md');
  const documents = readdirSync(join(rootFolder, 'docs')).filter((file) => file.endsWith('.md'));
  for (const file of documents.filter((name) => name !== 'README.md')) {
    expect(index).toMatch(new RegExp(`\\]\\(${file}[)#]`));
  }
});

test('links between documents lead to headings that exist', () => {
  const documents = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...below('docs')];
  for (const document of documents) {
    for (const [, link = ''] of readRepositoryFile(document).matchAll(/\]\(([^)\s]+)\)/g)) {
      const [path = '', anchor] = link.split('#');
      if (anchor === undefined || /^[a-z]+:/.test(link)) continue;
      const target = path === '' ? document : join(document, '..', path);
      expect(anchorsOf(target), `${document} links to ${link}`).toContain(anchor);
    }
  }
});

function below(folder: string): readonly string[] {
  const entries = readdirSync(join(rootFolder, folder), { recursive: true, encoding: 'utf8' });
  return entries.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`);
}

function anchorsOf(path: string): readonly string[] {
  if (!existsSync(join(rootFolder, path))) return [];
  const headings = readRepositoryFile(path).matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}
