import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wrongArticles } from './tidy/articles.ts';
import { findingsOf, positionsOf, used } from './tidy/findings-of.ts';

const edge = 'packages/server/src/ingress/ingress.ts';

describe('words', () => {
  const inStore = 'packages/server/src/store/port/port.ts';
  test.each([
    ['a process as a person', '// Nobody waits.\nvoid 0;\n', [`${inStore}:1 words`]],
    ['a process as a process', '// No process waits.\nvoid 0;\n', []],
    ['a parameter `of`', 'void ((of: number) => of);\n', [`${inStore}:1 words`]],
    ['a private word', 'void ((wish: number) => wish);\n', [`${inStore}:1 words`]],
  ])('%s', (_, text, positions) => {
    expect(positionsOf(used(inStore, text))).toEqual(positions);
  });

  test.each([
    ['a document', 'docs/guide.md', 'Nobody waits.', ['docs/guide.md:3 words']],
    ['not the path of a document', 'docs/guide.md', 'See [it](https://a.example/nobody).', []],
    ['not what was decided', 'docs/decisions/0099-it.md', 'Nobody waits.', []],
  ])('reads %s', (_, path, line, positions) => {
    expect(positionsOf({ [path]: `# A title\n\n${line}\n` })).toEqual(positions);
  });
});

describe('articles', () => {
  const inStore = 'packages/server/src/store/port/port.ts';
  test.each([
    ['a comment', inStore, '// Throws an CallError.\nvoid 0;\n', [1]],
    ['a block comment over two lines', inStore, '/**\n * Throws an\n * CallError.\n */\n', [1]],
    ['a sentence', inStore, "void 'not a hour';\n", [1]],
    ['a template', inStore, 'void `a app`;\n', [1]],
    ['a document', 'docs/guide.md', '# A title\n\nIt is an user of a API.\n', [3, 3]],
    ['no code', 'docs/guide.md', '# A title\n\nSee `a app`.\n', []],
    ['no names', inStore, '// From a and b, a is first.\nvoid 0;\n', []],
    ['no data of tests', 'scripts/a.test.ts', "void 'a app';\n", []],
  ])('are read in %s', (_, path, text, lines) => {
    const files = path === inStore ? used(path, text) : { [path]: text };
    expect(positionsOf(files)).toEqual(lines.map((line) => `${path}:${line} articles`));
  });

  test.each([
    ['an HTTP API of a user, a URL, a UTC day and a one-shot event'],
    ['an hour, an honest answer, an SDK, an MCP server, an npm package'],
    ['a SIGHUP, an LlmError, an 8 KiB body, a 100 ms wait, an 18-digit number'],
    ['an unnamed app in a unit of a union, an unimportant one, a euro'],
  ])('leave %s', (text) => {
    expect(wrongArticles(text)).toEqual([]);
  });

  test.each(['a hour', 'an user', 'a 8', 'a SDK', 'an unit', 'A app', 'a unusual', 'an body'])(
    'find %s',
    (text) => {
      expect(wrongArticles(`It is ${text}.`)).toEqual([text]);
    },
  );
});

describe('a pattern', () => {
  test.each([
    ['a header line', String.raw`/^([\w-]+):[ \t]*([\t\x20-\x7e]*)$/`, true],
    [
      'a header line whose value begins with no blank',
      String.raw`/^[\w-]+:[ \t]*(?:[!-~][\t -~]*)?$/`,
      false,
    ],
    ['an address', String.raw`/^[^\s:]+@[^\s:]+$/u`, true],
    ['an address without an @ in its first part', String.raw`/^[^\s:@]+@[^\s:]+$/u`, false],
    ['a word in the middle', '/^(.+)-mantle-(.+)$/', true],
    ['repeats within a repeat', '/^(?:a+b*)*a*c$/', true],
    ['repeats with nothing behind them', '/^a*a*/', false],
    ['repeats of other characters', String.raw`/^\d{1,}[a-z]*(?:\.\d+)?$/`, false],
    ['repeats with an end', '/^a{1,30}a{0,30}$/', false],
    ['choices', '/^(?:ab*|b*c)$/', false],
    ['a choice behind a choice', '/^(?:a*|b*)(?:a*|c)$/', true],
  ])('with %s', (_name, pattern, isReported) => {
    const positions = isReported ? [`${edge}:1 patterns`] : [];
    expect(positionsOf(used(edge, `void ${pattern};\n`))).toEqual(positions);
  });
});

describe('sizes', () => {
  const lines = (count: number) => 'void 0;\n'.repeat(count);

  test.each([
    ['a file of 250 lines', used(edge, lines(250)), []],
    ['a file of 251 lines', used(edge, lines(251)), [`${edge}:1 file-lines`]],
    ['a test of 400 lines', { 'scripts/a.test.ts': lines(400) }, []],
    [
      'a test of 401 lines',
      { 'scripts/a.test.ts': lines(401) },
      ['scripts/a.test.ts:1 file-lines'],
    ],
    ['a line of 100 characters', used(edge, `void ${'1'.repeat(94)};\n`), []],
    [
      'a line of 101 characters',
      used(edge, `void ${'1'.repeat(47)}+${'1'.repeat(47)};\n`),
      [`${edge}:1 long-lines`],
    ],
    ['a long comment', used(edge, `\n// ${'word '.repeat(30)}\n`), [`${edge}:2 long-lines`]],
    ['a long sentence in one literal', used(edge, `void '${'word '.repeat(30)}';\n`), []],
    ['a long address', used(edge, `// See https://example.com/${'a'.repeat(90)}\n`), []],
  ])('%s', (_name, files, findings) => {
    expect(positionsOf(files)).toEqual(findings);
  });

  test('the ratchet allows an exception, as large as it is and no larger', () => {
    const ratcheted = (number: number) => ({
      ...used(edge, lines(300)),
      'scripts/tidy-ratchet.json': JSON.stringify({ 'file-lines': { [edge]: number } }),
    });
    expect(positionsOf(ratcheted(299))).toEqual([`${edge}:1 file-lines`]);
    expect(positionsOf(ratcheted(300))).toEqual([]);
    expect(findingsOf(ratcheted(301))).toEqual([
      `scripts/tidy-ratchet.json:1 file-lines - ${edge} is allowed 301: lower it to 300`,
    ]);
  });

  test('the ratchet contains only needed exceptions', () => {
    const text = JSON.stringify({ 'file-lines': { 'gone.ts': 270 } });
    expect(findingsOf({ 'scripts/tidy-ratchet.json': text })).toEqual([
      'scripts/tidy-ratchet.json:1 file-lines - gone.ts is allowed 270: remove it, nothing needs it any more',
    ]);
  });
});

describe('names', () => {
  test.each([
    ['scripts/utils/a.js', 1],
    ['scripts/string-helpers.ts', 1],
    ['scripts/service.ts', 1],
    ['packages/server/test/scenarios/403-no-service.test.ts', 0],
    ['scripts/a-b.test.ts', 0],
  ])('%s has %d findings', (path, count) => {
    expect(positionsOf({ [path]: '' })).toEqual(Array(count).fill(`${path}:1 names`));
  });
});

describe('globals', () => {
  test.each([
    'void Date.now();',
    'void new Date();',
    'setTimeout(run, 1);',
    'globalThis.setInterval(run, 1);',
    'const roll = Math.random;',
    'void crypto.randomUUID();',
    "import { randomUUID } from 'node:crypto';",
    'void AbortSignal.timeout(1);',
  ])('%s is found outside of lib', (text) => {
    expect(positionsOf(used(edge, text))).toContain(`${edge}:1 globals`);
    expect(positionsOf(used('packages/server/src/lib/clock.ts', text))).toEqual([]);
    expect(positionsOf(used('packages/sdk/src/call/runtime-system.ts', text))).toEqual([]);
    expect(positionsOf({ 'benchmarks/a.ts': text })).toEqual([]);
  });

  test.each([
    'void new Date(0);',
    'runtime.setTimeout(run, 1);',
    'void { setTimeout: run };',
    "// Date.now() is the machine's",
    "void 'Math.random()';",
  ])('%s is allowed', (text) => {
    expect(positionsOf(used(edge, text))).toEqual([]);
  });
});

describe('waits', () => {
  test.each([
    "import { setTimeout as wait } from 'node:timers/promises';",
    'await new Promise((resolve) => setTimeout(resolve, 50));',
    'void performance.now();',
    'await vi.waitFor(check);',
    'await vi.waitUntil(check);',
    'await expect.poll(read, { timeout: 5_000 }).toBe(1);',
    'await pause(50);\nexpect(heard).toEqual([]);',
  ])('%j is found only in tests', (text) => {
    for (const path of [
      'packages/server/test/a.ts',
      'packages/sdk/test-full/a.ts',
      'examples/testing/a.ts',
      'benchmarks/load/a.test.ts',
    ]) {
      expect(positionsOf({ [path]: text }), path).toEqual([`${path}:1 waits`]);
    }
    expect(positionsOf({ 'benchmarks/a.ts': text })).toEqual([]);
  });

  test.each([
    'await until(() => isOpen);',
    'await expect.poll(read).toBe(1);',
    'await pause(5);\nawait call();',
    'runtime.setTimeout(run, 1);',
    'void { setTimeout: run };',
  ])('%j is allowed', (text) => {
    expect(positionsOf({ 'packages/server/test/a.ts': text })).toEqual([]);
  });
});

describe('banned syntax', () => {
  test.each([
    'void (a as string);',
    '// TODO later',
    '/* FIXME */',
    'function a(req: string) {}',
    'const cfg = 1;',
    'const a = ;',
  ])('%s', (text) => {
    expect(positionsOf({ 'scripts/a.ts': text })).toEqual(['scripts/a.ts:1 banned-syntax']);
  });

  test.each([
    'void ([1] as const);',
    'void !a;',
    "import { a as b } from './b.ts';",
    "void 'as any';",
    'void parts.req;',
    "declare module 'x';",
  ])('%s is allowed', (text) => {
    expect(positionsOf({ 'scripts/a.ts': text })).toEqual([]);
  });
});

describe('undocumented', () => {
  const path = 'packages/contract/src/a.ts';

  test.each([
    ['export const a = 1;', [`${path}:1 undocumented`]],
    ['/** A. */\nexport const a = 1;\nexport const b = 2;\n', []],
    ['/** A. */\nexport const a = 1;\n\nexport const b = 2;\n', [`${path}:4 undocumented`]],
    ['// A.\nexport function a() {}\n', [`${path}:2 undocumented`]],
    ["export { a } from './a.ts';\nexport {};\n", []],
  ])('%j', (text, findings) => {
    expect(positionsOf(used(path, text))).toEqual(findings);
  });

  test('is found where an entry of the client exports it, however far away', () => {
    const files = {
      'packages/sdk/package.json': '{ "exports": { ".": { "default": "./src/index.ts" } } }',
      'packages/sdk/src/index.ts':
        "export { type A, b as c } from './a/a.ts';\nexport const d = 1;\n",
      'packages/sdk/src/a/a.ts':
        "export * from './b.ts';\nexport interface A {}\nexport const inner = 1;\n",
      'packages/sdk/src/a/b.ts': 'export const b = 1;\nexport const c = 1;\n',
      [edge]: 'export const a = 1;\n',
    };
    expect(positionsOf(files)).toEqual([
      'packages/sdk/src/a/a.ts:2 undocumented',
      'packages/sdk/src/a/b.ts:1 undocumented',
      'packages/sdk/src/index.ts:2 undocumented',
    ]);
  });
});

describe('SQL', () => {
  const filled = `void \`\n  select * from app where name = \${name}\`;\n`;

  test('with an inserted value is found', () => {
    const statements = 'packages/server/src/store/queries/operator-statements.ts';
    const engine = 'packages/server/src/store/engine.ts';
    expect(positionsOf(used(statements, `void \`limit \${most}\`;`))).toEqual([
      `${statements}:1 sql`,
    ]);
    expect(positionsOf(used(engine, filled))).toEqual([`${engine}:1 sql`]);
  });

  test('may only be in the store', () => {
    const text = "export const a = { sql: 'select b from c where d = $1' };\n";
    const documented = `/** A. */\n${text}`;
    expect(positionsOf(used('packages/server/src/ledger/a.ts', documented))).toEqual([
      'packages/server/src/ledger/a.ts:2 sql',
    ]);
    expect(positionsOf(used('packages/server/src/store/queries/a.ts', documented))).toEqual([]);
    expect(positionsOf(used(edge, filled))).toEqual([`${edge}:1 sql`]);
  });

  test('is distinguished from other texts of the store', () => {
    expect(
      positionsOf(used('packages/server/src/store/engine.ts', `void \`no \${name}\`;`)),
    ).toEqual([]);
  });
});

describe('error codes', () => {
  const errors = 'packages/contract/src/errors.ts';
  const table = used(
    errors,
    `/** All. */
export const apiErrors = {
  INVALID: { status: 400, when: 'wrong' },
  NO_SERVICE: {
    status: 403,
  },
};

/** More. */
export const gatewayErrors = { FORBIDDEN: { status: 403, message: 'Forbidden' } };
`,
  );
  const scenario = (name: string) => `packages/server/test/scenarios/${name}.test.ts`;

  test('are not required before the first file exists', () => {
    expect(positionsOf(table)).toEqual([]);
  });

  test('have a row in the document, and the document has no others', () => {
    const text = '# Errors\n| 400 | `INVALID` | x |\n| 404 | `NO_SERVICE` | x |\n';
    expect(positionsOf({ ...table, 'docs/errors.md': text })).toEqual([
      'docs/errors.md:3 error-codes',
      `${errors}:4 error-codes`,
    ]);
  });

  test('have a scenario each, and each scenario has a code', () => {
    const files = {
      ...table,
      [scenario('400-invalid')]: '',
      [scenario('403-forbidden')]: '',
      [scenario('200-chat')]: '',
      [scenario('404-no-service')]: '',
    };
    expect(positionsOf(files)).toEqual([
      `${errors}:4 scenario`,
      `${scenario('404-no-service')}:1 scenario`,
    ]);
  });

  test('without a scenario yet may be in the ratchet', () => {
    const ratchet = JSON.stringify({ scenario: { '403-no-service': 1 } });
    const files = { ...table, [scenario('400-invalid')]: '', 'scripts/tidy-ratchet.json': ratchet };
    expect(positionsOf(files)).toEqual([]);
    expect(positionsOf({ ...files, [scenario('403-no-service')]: '' })).toEqual([
      'scripts/tidy-ratchet.json:1 scenario',
    ]);
  });
});

describe('Markdown', () => {
  test.each([
    ['# One\n```\n# no title\n```\n', []],
    ['no title\n', ['docs/a.md:1 markdown']],
    ['# One\n\n# Two\n', ['docs/a.md:3 markdown']],
    ['# One\n[here](../scripts/tidy.ts) and [there](gone.md#x)\n', ['docs/a.md:2 markdown']],
    ['# One\n`scripts/tidy.ts:3`, `scripts/gone.ts`\n', ['docs/a.md:2 markdown']],
    ['# One\n`scripts/<rule>.ts`, `scripts/`, `application/json`, [x](https://x.example)\n', []],
    ['# One\n```\nscripts/gone.ts\n```\n', []],
    ['# One\n[a](#one), [b](#why-a-b), [c](b.md#two-1)\n\n## Why: `A`, "B"\n', []],
    ['# One\n[a](#won), [b](b.md#two-2)\n', ['docs/a.md:2 markdown', 'docs/a.md:2 markdown']],
    ['# One\n[c](b.md#old-name)\n', []],
  ])('%j', (text, findings) => {
    const other = '# Two\n\n## Two\n\n<a id="old-name"></a>\n\n## New name\n';
    const files = { 'docs/a.md': text, 'docs/b.md': other, 'scripts/tidy.ts': '' };
    expect(positionsOf(files)).toEqual(findings);
  });

  test('a file for agents is one pointer', () => {
    const agents = { 'AGENTS.md': '# Agents\n' };
    expect(positionsOf({ ...agents, 'CLAUDE.md': '@AGENTS.md\n' })).toEqual([]);
    expect(positionsOf({ ...agents, 'CLAUDE.md': '# Rules\n' })).toEqual(['CLAUDE.md:1 markdown']);
  });
});

describe('fixtures', () => {
  test('are explained by a README next to them', () => {
    const path = 'packages/server/test/fixtures/openai/chat.json';
    const readme = 'packages/server/test/fixtures/openai/README.md';
    expect(positionsOf({ [path]: '{}', [readme]: '# Bodies\n' })).toEqual([`${path}:1 fixtures`]);
    expect(positionsOf({ [path]: '{}', [readme]: '# Bodies\nchat.json: 2026\n' })).toEqual([]);
  });
});

describe('strangers', () => {
  test.each([
    ['', 'work', 'x'].join('/'),
    `at ${['', 'root', '.npm'].join('/')}`,
    ['https://registry', 'npmjs', 'org/a'].join('.'),
    ['"resolved"', ' "https://host/a.tgz"'].join(':'),
  ])('%s', (text) => {
    expect(positionsOf({ 'a.txt': `\n${text}\n` })).toEqual(['a.txt:2 strangers']);
  });

  test.each(['packages/work/a', 'https://example.com/work/a', '/workers/a'])(
    '%s is allowed',
    (text) => {
      expect(positionsOf({ 'a.txt': text })).toEqual([]);
    },
  );
});

test('the program obeys itself', () => {
  const names = ['banned-syntax', 'error-codes', 'sizes', 'source', 'undocumented'];
  const own = names.map((name) => {
    const path = `scripts/tidy/${name}.ts`;
    return [path, readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')];
  });
  expect(findingsOf(Object.fromEntries(own))).toEqual([]);
});
