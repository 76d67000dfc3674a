import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const text = readFileSync(`${root}llms.txt`, 'utf8');
const [head = '', ...sections] = text.split(/^## /m);
/** The lists of files, each with its heading. */
const lists = sections.map((section) => {
  const [heading = '', , ...lines] = section.trimEnd().split('\n');
  return { heading, lines };
});
const links = lists.flatMap(({ lines }) =>
  lines.map((line) => /^- \[[^\]]+\]\(([^)]+)\): \S.*$/.exec(line)?.[1] ?? line),
);

// The format is defined at https://llmstxt.org.
describe('llms.txt', () => {
  test('has a title, a summary, and lists with one line for each file', () => {
    expect(head).toMatch(/^# Model Gateway\n\n> [^\n]+\.\n\n[^#\n][^#]*\n\n$/);
    expect(lists.at(-1)?.heading).toBe('Optional');
    for (const { heading, lines } of lists) expect([heading, lines]).not.toEqual([heading, []]);
    for (const link of links) expect(link).toMatch(/^[\w./-]+$/);
  });

  test('has each file once, and each file exists', () => {
    expect(links).toEqual([...new Set(links)]);
    for (const link of links) expect([link, existsSync(`${root}${link}`)]).toEqual([link, true]);
  });

  test('has every document', () => {
    const documents = globSync('docs/*.md', { cwd: root });
    expect(documents.length).toBeGreaterThan(25);
    expect(links).toEqual(expect.arrayContaining(documents));
  });
});
