import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { type SpokenPlatform, startSpokenPlatform } from '../calls/support/spoken-platform.ts';
import { noonClock } from '../support/noon-clock.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';
import { storeKinds } from '../support/shared-stack.ts';
import { documentOf, openDesk } from './support/desk.ts';

// A file of `date,app,model,usd` is the invoice of any platform.

let postgres: TestPostgres;
let platform: SpokenPlatform;
beforeAll(async () => {
  postgres = await startPostgres();
  const message = { role: 'assistant', content: 'Hi.' };
  const whole = {
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
  };
  platform = await startSpokenPlatform(() => ({ whole, events: [] }));
});
afterAll(async () => {
  platform.close();
  await postgres.close();
});

const yamlOn = (store: string) => `
company: acme
store: "${store}"
platforms: { house: { kind: openai-compatible, baseUrl: "${platform.baseUrl}/v1", apiKey: none } }
models:
  - { id: small, platform: house, upstreamModel: m-1, inputUsdPerMillion: "1", outputUsdPerMillion: "2" }
  - { id: large, platform: house, upstreamModel: m-2, inputUsdPerMillion: "10", outputUsdPerMillion: "20" }
apps: [{ name: search }, { name: tutor }, { name: agent }]
`;
const day = utcDayOf(noonClock.now());

async function open(kind: (typeof storeKinds)[number]) {
  const url = kind === 'postgres' ? await postgres.database() : undefined;
  let now = noonClock.now();
  const clock = { ...noonClock, now: () => now };
  const desk = await openDesk({ yaml: yamlOn(url ?? 'sqlite:./gateway.db'), clock });
  const file = join(desk.folder, 'invoice.csv');
  const importing = ['reconcile', 'import', '--platform', 'house', '--file', file];
  return {
    desk,
    startService: () => startServer({ yaml: yamlOn(url ?? `sqlite:${desk.folder}/gateway.db`) }),
    /** The output of an import of this text, on both streams. */
    async import(text: string) {
      writeFileSync(file, text);
      return desk.run([...importing, '--json', '--config', desk.file]);
    },
    async verdicts() {
      const shown = ['reconcile', 'show', '--day', day, '--json', '--config', desk.file];
      const rows = documentOf(await desk.run(shown));
      if (!Array.isArray(rows)) throw new Error('rows are a list');
      return rows.map(({ app, projects, model, invoiceUsd, verdict }) =>
        [app ?? projects.join(), model, invoiceUsd, verdict].join(' '),
      );
    },
    toNextDay() {
      now += 86_400_000;
    },
  };
}

test.each(storeKinds)('its days are compared as those of other invoices, on %s', async (kind) => {
  const opened = await open(kind);
  const server = await opened.startService();
  const messages = [{ role: 'user' as const, content: 'x'.repeat(10_000) }];
  for (const [app, model] of [
    ['search', 'small'],
    ['search', 'small'],
    ['search', 'large'],
    ['tutor', 'small'],
    ['agent', 'small'],
  ] as const) {
    await (await server.client(app)).chat({ model, messages, maxTokens: 200 });
  }
  await server.close();
  await opened.import(`date,app,model,usd\n${day},search,m-1,0.0012\n`);
  expect(await opened.verdicts()).toEqual([
    'agent m-1 0 open',
    'search m-1 0.0012 open',
    'search m-2 0 open',
    'tutor m-1 0 open',
  ]);
  opened.toNextDay();
  const rows = [
    'model,USD, app ,date',
    `m-1,0.0012,search,${day}`,
    `"m-1",1.2e-3,search,${day}`,
    `m-1,0.002,tutor,${day}`,
    `m-1,"0.0001",agent,${day}`,
    `m-9,0.5,search,${day}`,
    '',
    `m-1,0.7,"ghost, ""inc""",${day}`,
    `m-1,0.1,,${day}`,
  ];
  const imported = await opened.import(`\u{feff}${rows.join('\r\n')}`);
  expect(imported).toMatchObject({ code: 0, errors: [] });
  expect(documentOf(imported)).toMatchObject({ days: [day], lines: 6, totalUsd: '1.3045' });
  expect(await opened.verdicts()).toEqual([
    'agent m-1 0.0001 under',
    'search m-1 0.0024 equal',
    'search m-2 0 under',
    'search m-9 0.5 over',
    'tutor m-1 0.002 over',
    'ghost, "inc" m-1 0.7 foreign',
    ' m-1 0.1 untagged',
  ]);
  expect((await opened.desk.run(['audit', '--config', opened.desk.file])).code).toBe(0);
  await opened.desk.close();
});

const columns = 'the first line must have the columns date,app,model,usd in any order';

test('each error is one line with line, value and fix, and nothing is imported', async () => {
  const { desk, ...opened } = await open('sqlite');
  const good = `date,app,model,usd\n"${day}",search,"m\n1",0.1\n`;
  for (const [text, message] of [
    ['', 'invoice.csv: is empty'],
    ['date,app,usd\n', `invoice.csv, line 1: the column model is missing; ${columns}`],
    ['date,app,app,model,usd\n', `line 1: the column app appears 2 times; ${columns}`],
    ['date,app,model,usd,eur\n', `line 1: column "eur" is not read; ${columns}`],
    [`${good}${day},search,m,"1,5"\n`, 'line 4: usd "1,5" is not an amount; use a decimal of USD'],
    [`${good}${day},search,m,$1\n`, 'line 4: usd "$1" is not an amount; use a decimal of USD'],
    [`${good}${day},search,m,\n`, 'line 4: usd "" is not an amount; use a decimal of USD'],
    [`${good}\n2026-02-30,search,m,1\n`, 'line 5: date "2026-02-30" is not a UTC day; use for'],
    [`${good}${day},search,m\n`, 'line 4: has 3 fields, but the header has 4'],
    [`${good}${day},search,"m,1\n`, 'line 4: a quoted field has no closing quote'],
  ] as const) {
    const result = await opened.import(text);
    expect(result.code, text).toBe(2);
    expect(result.errors).toHaveLength(1);
    expect(result.errors[0]).toContain(`nothing was imported: `);
    expect(result.errors[0]).toContain(message);
    expect(result.errors[0]).not.toContain('\n');
  }
  expect(await opened.verdicts()).toEqual([]);
  await desk.close();
});
