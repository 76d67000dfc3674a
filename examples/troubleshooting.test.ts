import { apiErrors, gatewayErrors } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import { type Logged, readLoggedTexts, sentencesOf } from './testing/logged.ts';
import { readRepositoryFile, tableRows } from './testing/markdown.ts';

const page = readRepositoryFile('docs/troubleshooting.md');

/** The code in the first column of the tables. */
const quotes = tableRows(page).flatMap(([symptoms = '']) =>
  [...symptoms.matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote),
);

const server = 'packages/server/src';

/** The declarations that make the messages of log calls with a variable. */
const madeBy: Readonly<Record<string, readonly (readonly [path: string, name: string])[]>> = {
  'cli/serve.ts warning': [
    ['cli/listen/descriptors.ts', 'descriptorWarning'],
    ['cli/start-warnings.ts', 'rootWarning'],
    ['cli/start-warnings.ts', 'stopWarning'],
  ],
  'cli/serve.ts clearTextWarning': [['cli/start-warnings.ts', 'clearTextWarning']],
  'compose/log-models.ts unboundSentence(each)': [['domain/unbound-app.ts', 'unboundSentence']],
  'ingress/http/connection-limits.ts why': [
    ['ingress/http/connection-limits.ts', 'whyFull'],
    ['ingress/http/connection-limits.ts', 'whyKeyless'],
    ['ingress/http/connection-limits.ts', 'whyIdle'],
  ],
  'registry/follow-changes.ts sentence': [['registry/shared-projects.ts', 'sharedSentence']],
  'store/postgres/store.ts warning': [['store/postgres/store.ts', 'clearTextWarning']],
  'store/sqlite/file/prepare-file.ts warning': [
    ['store/sqlite/file/private-file.ts', 'openFileWarning'],
  ],
  // The page has the states of platforms, which these lines also contain.
  'observe/platform-watch.ts problem': [],
  'observe/platform-watch.ts finding.problem': [],
  // They log the texts of their callers, which are read.
  'cli/serve.ts message': [],
  'lib/rare-warning.ts message': [],
};

/** One word is a code or a state, and quotes a message only as a whole. */
const isQuoted = (text: string) =>
  quotes.some((quote) => quote === text || (quote.includes(' ') && text.includes(quote)));

/** A part of a sentence. */
const isPart = ({ text }: Logged) =>
  /^(?:also |the project of|the platform's|"model-gateway)/.test(text);

const logged = readLoggedTexts();
const sentences = Object.values(madeBy)
  .flat()
  .flatMap(([path, name]) => sentencesOf(`${server}/${path}`, name));
const messages = [...logged.texts, ...sentences.filter((sentence) => !isPart(sentence))];

describe('docs/troubleshooting.md', () => {
  test('has every error code and every message of the gateway', () => {
    const names = Object.values(gatewayErrors).map(({ message }) => message);
    const knownQuotes = new Set(quotes);
    expect([...Object.keys(apiErrors), ...names].filter((name) => !knownQuotes.has(name))).toEqual(
      [],
    );
  });

  test('quotes every warning and error of the log', () => {
    expect(messages.length).toBeGreaterThan(95);
    const missing = messages.filter(({ text }) => !isQuoted(text));
    expect(missing.map(({ path, text }) => `${path}: ${text}`)).toEqual([]);
  });

  test('has every logged state of a platform', () => {
    const source = readRepositoryFile(`${server}/platforms/check-platform.ts`);
    const states = [...source.matchAll(/state: '([\w-]+)'|case '([\w-]+)'/g)]
      .map(([, given, named]) => given ?? named ?? '')
      .filter((state) => state !== 'works' && state !== 'not-asked');
    expect(states.length).toBeGreaterThan(6);
    expect(states.filter((state) => !quotes.includes(state))).toEqual([]);
  });

  test('quotes only text that is logged', () => {
    const isSentence = (quote: string) => /^[a-z][^:]* /.test(quote);
    const texts = [...messages, ...sentencesOf(`${server}/cli/config-files.ts`, 'readStore')];
    const isLogged = (quote: string) => texts.some(({ text }) => text.includes(quote));
    expect(quotes.filter((quote) => isSentence(quote) && !isLogged(quote))).toEqual([]);
  });
});

test('every message in a variable has its declaration in the list of this test', () => {
  const unresolved = new Set(logged.unresolved);
  const listed = Object.keys(madeBy).map((name) => `${server}/${name}`);
  expect([...unresolved].toSorted()).toEqual(listed.toSorted());
});
