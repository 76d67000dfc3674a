import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createProject } from './tidy/project.ts';
import { repositoryFiles } from './tidy/repository.ts';
import { parseSource } from './tidy/source.ts';
import { catalogsOf } from './words/catalogs.ts';
import { readTexts } from './words/texts.ts';

describe('the catalogs of texts', () => {
  let catalogs: ReadonlyMap<string, string>;
  beforeAll(() => {
    const sources = repositoryFiles().filter(({ path }) => /\/src\/.*\.[mc]?[jt]sx?$/.test(path));
    catalogs = catalogsOf(readTexts(createProject(sources).sources));
  });

  test('have each text as the sources have it: "node scripts/write-texts.ts" writes them', () => {
    const folder = new URL('../docs/texts/', import.meta.url);
    const written = readdirSync(folder).map((name) => `docs/texts/${name}`);
    expect(written.toSorted()).toEqual([...catalogs.keys()].toSorted());
    for (const [path, text] of catalogs) {
      expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(text);
    }
  });
});

describe('a text', () => {
  const inServer = 'packages/server/src/ingress/a.ts';
  const textsOf = (path: string, text: string) =>
    readTexts([parseSource({ path, text })]).map(({ area, text: shown }) => `${area}: ${shown}`);

  test.each([
    ['of a log call', "log.warn({}, 'store failed');", ['log: store failed']],
    ['of a log call of a part', "parts.log.info({ a: f('two words') }, '');", ['log: two words']],
    ['of parts', "f('one ' + name + ' and ' + 'two');", [`errors: one \${name} and two`]],
    ['of a template', `f(\`no \${a.b} of \${c()}\`);`, [`errors: no \${a.b} of \${…}`]],
    ['of one word', "f('one');", []],
    ['of values', `f(\`\${a} \${b}\`);`, []],
  ])('%s', (_, code, texts) => {
    expect(textsOf(inServer, code)).toEqual(texts);
  });

  test('belongs to the area of its folder', () => {
    const code = "f('two words');";
    expect(textsOf('packages/server/src/cli/a.ts', code)).toEqual(['command-line: two words']);
    expect(textsOf('packages/server/src/notify/a.ts', code)).toEqual([
      'webhooks-and-metrics: two words',
    ]);
    expect(textsOf('packages/console/src/a.ts', code)).toEqual(['console: two words']);
    expect(textsOf('scripts/a.ts', code)).toEqual([]);
  });

  test('of a page may be one word, and of a store must not be a statement', () => {
    const page = 'void (<p>Spend <b>{1}</b> of\n  a day</p>);';
    expect(textsOf('packages/console/src/a.tsx', page)).toEqual([
      'console: Spend',
      'console: of a day',
    ]);
    const statement = "f('select a from b', 'no such row');";
    expect(textsOf('packages/server/src/store/a.ts', statement)).toEqual(['errors: no such row']);
  });
});
