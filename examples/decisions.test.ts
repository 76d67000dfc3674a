import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRepositoryFile, rootFolder, tableRows, withoutQuotes } from './testing/markdown.ts';

const index = readRepositoryFile('docs/decisions/README.md');
const files = readdirSync(join(rootFolder, 'docs/decisions'))
  .filter((file) => file !== 'README.md')
  .toSorted();

describe('docs/decisions', () => {
  test.each(files)('%s has a number, a date and its three parts', (file) => {
    const text = readRepositoryFile(`docs/decisions/${file}`);
    expect(text).toMatch(new RegExp(`^# ${file.slice(0, 4)} .+\n\nDate: \\d{4}-\\d\\d-\\d\\d\n`));
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Context', 'Decision', 'Consequences']);
    expect(statusOf(file)).toMatch(valid);
  });

  test('are numbered without a gap, and each has its row in the index', () => {
    const numbers = files.map((file) => Number(file.slice(0, 4)));
    expect(numbers).toEqual(files.map((_file, index) => index + 1));
    const rows = tableRows(index).map(([number]) => number);
    expect(rows).toEqual(files.map((file) => `[${file.slice(0, 4)}](${file})`));
  });

  test('have in the index the status of the record', () => {
    const shown = tableRows(index).map(([number = '', , status]) => [number.slice(1, 5), status]);
    expect(shown).toEqual(statuses());
  });

  test('name, in the reading path, a dozen records that are not replaced', () => {
    const [path = ''] = index.split('## All decisions');
    const read = [...path.matchAll(/^\d+\. \[(\d{4})\]/gm)].map(([, number]) => number);
    expect(read).toHaveLength(12);
    const replaced = statuses().filter(([, status]) => status?.startsWith('replaced by'));
    for (const [number] of replaced) expect(read).not.toContain(number);
  });

  test('have a row for each import of the sources, and only for installed packages', () => {
    const shown = tableRows(readRepositoryFile('docs/decisions/0001-dependencies.md'));
    const named = shown.flatMap(([names]) => withoutQuotes(names).split(', '));
    const packages = `${rootPackage}${serverPackage}${consolePackage}`;
    for (const name of named) expect(packages).toContain(`"${name}": "`);
    for (const name of importedPackages()) expect(named).toContain(name);
    const { devDependencies }: { devDependencies: object } = JSON.parse(rootPackage);
    const forTests = Object.keys(devDependencies).filter((name) => !name.startsWith('@types/'));
    for (const name of forTests) expect(named).toContain(name);
  });
});

const rootPackage = readRepositoryFile('package.json');
const serverPackage = readRepositoryFile('packages/server/package.json');
const consolePackage = readRepositoryFile('packages/console/package.json');

/** The other authors' packages that the service's sources import. */
function importedPackages(): ReadonlySet<string> {
  const sources = join(rootFolder, 'packages/server/src');
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readRepositoryFile(`packages/server/src/${file}`));
  const imports = texts.flatMap((text) => [...text.matchAll(/ from '([^.'][^']*)';$/gm)]);
  const names = imports.map(([, from = '']) => /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from);
  return new Set(names.filter((name) => !/^(node:|@model-gateway)/.test(name)));
}

/** A status as in the records, with the part that each successor replaces in parentheses. */
const status =
  /^(?:in force(?:; replaced in part by LINKS)?(?:; extended by LINKS)?|replaced by LINKS)$/;

const links = String.raw`\[\d{4}\]\(\S+\)(?: \((?:[^()]|\([^()]*\))*\))?`;
const valid = new RegExp(status.source.replaceAll('LINKS', `${links}(?:(?:, | and )${links})*`));

/** The status in the head of a record. */
function statusOf(file: string): string {
  const text = readRepositoryFile(`docs/decisions/${file}`);
  return /^# .*\n\nDate: \S+\n\nStatus: (.*)$/m.exec(text)?.[1] ?? `${file} has no status line`;
}

/** Each number with its status, without the extensions and without the replaced parts. */
function statuses(): readonly (readonly [string, string])[] {
  return files.map((file) => {
    const [short = ''] = statusOf(file).split('; extended by ');
    return [file.slice(0, 4), short.replaceAll(/ \((?:[^()]|\([^()]*\))*\)/g, '')];
  });
}
