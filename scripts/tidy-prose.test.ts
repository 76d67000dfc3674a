import { describe, expect, test } from 'vitest';
import { findAll } from './tidy/find-all.ts';
import { findingsOf, positionsOf, used } from './tidy/findings-of.ts';
import { createProject } from './tidy/project.ts';
import { lowerRatchet } from './tidy/ratchet.ts';

const edge = 'packages/server/src/ingress/ingress.ts';

describe('avoided words', () => {
  const guide = 'docs/guide.md';
  test.each([
    ['a literal', edge, "void 'for this app alone';\n", [1]],
    ['a template of two lines', edge, 'void `It is\ntold.`;\n', [2]],
    ['the text of a page', 'packages/console/src/a.tsx', 'void (<p>Read it anew</p>);\n', [1]],
    ['a paragraph, whatever the case', guide, '# A title\n\nAlone,\nbeside it.\n', [3, 4]],
    ['a table', guide, '# A title\n\n| a | mostly |\n|---|---|\n', [3]],
    ['a decision', 'docs/decisions/0099-it.md', '# A title\n\nIt is so that it is.\n', [3]],
    ['no code', guide, '# A title\n\nSee `told`.\n```\ntold a\n```\n', []],
    ['no table of metrics', guide, '<!-- metrics -->\n\n| told |\n\n<!-- end -->\n', []],
    ['no table of errors', guide, '<!-- errors: models -->\n\n| told |\n\n<!-- end -->\n', []],
    ['no address', guide, '# A title\n\nSee [it](https://example.com/told).\n', []],
    ['no part of a word', guide, '# A title\n\nIt is essay and besiege.\n', []],
    ['no names and values', edge, "import './told.ts';\nvoid 'dearest';\n", []],
    ['no SQL', edge, 'void `\n  a told\n  b`;\n', []],
    ['no comments', edge, '// It is told.\nvoid 0;\n', []],
    ['no history', 'CHANGELOG.md', '# A title\n\nIt is told.\n', []],
    ['no tests', 'scripts/a.test.ts', "void 'it is told';\n", []],
  ])('are read in %s', (_, path, text, lines) => {
    const files = path === edge ? used(path, text) : { [path]: text };
    const positions = positionsOf(files).filter((position) => position.endsWith('words'));
    expect(positions).toEqual(lines.map((line) => `${path}:${line} avoided-words`));
  });

  test.each([
    ['a line', edge, '// It is told.\nvoid 0;\n', [1]],
    ['lines below each other', edge, '// It is so\n// that it is.\nvoid 0;\n', [1]],
    ['a block', edge, '/**\n * It is\n * told.\n */\nvoid 0;\n', [3]],
    ['a test', 'scripts/a.test.ts', '// It is told.\nvoid 0;\n', [1]],
    ['no code', edge, '// See `told`.\nvoid 0;\n', []],
    ['no two comments', edge, '// It is so\nvoid 0;\n// that it is.\nvoid 0;\n', []],
  ])('are read in the comments of %s', (_, path, text, lines) => {
    const files = path === edge ? used(path, text) : { [path]: text };
    const positions = positionsOf(files).filter((position) => position.endsWith('comments'));
    expect(positions).toEqual(lines.map((line) => `${path}:${line} avoided-words-in-comments`));
  });

  const two = { [guide]: '# A title\n\nMostly a.\n', 'docs/b.md': '# A title\n\nMostly b.\n' };
  const withLimit = (number: number) => ({
    ...two,
    'scripts/tidy-ratchet.json': JSON.stringify({ 'avoided-words': { mostly: number } }),
  });

  test('may keep their number, and not exceed it', () => {
    const cure = 'instead of "mostly" write "usually" (2 here, 1 allowed)';
    expect(findingsOf(withLimit(1))).toEqual([
      `docs/b.md:3 avoided-words - ${cure}`,
      `${guide}:3 avoided-words - ${cure}`,
    ]);
    expect(findingsOf(withLimit(2))).toEqual([]);
    expect(findingsOf(withLimit(3))).toEqual([
      'scripts/tidy-ratchet.json:1 avoided-words - mostly is allowed 3: lower it to 2',
    ]);
  });

  test('are named where a file was changed, and everywhere when none was', () => {
    const list = Object.entries(two).map(([path, text]) => ({ path, text }));
    const findings = findAll(createProject(list, new Set([guide])));
    expect(findings.map(({ path }) => path)).toEqual([guide]);
  });
});

describe('long sentences', () => {
  const words = (count: number) => `${'word '.repeat(count - 1)}end`;
  test.each([
    ['36 words', `${words(36)}.`, [3]],
    ['35 words', `${words(35)}.`, []],
    ['a short one and two long ones', `So.\n${words(36)}! ${words(36)}?`, [4, 4]],
    ['two sentences', `${words(20)}. ${words(20)}.`, []],
    ['two items of a list', `- ${words(20)}\n- ${words(20)}`, []],
    ['two cells of a row', `| ${words(20)} | ${words(20)} |`, []],
    ['code, which is one word', `${words(30)} \`a b c d e f g\`.`, []],
  ])('in a paragraph: %s', (_, text, lines) => {
    const positions = lines.map((line) => `docs/guide.md:${line} long-sentences`);
    expect(positionsOf({ 'docs/guide.md': `# A title\n\n${text}\n` })).toEqual(positions);
  });

  test('in a literal or a comment, as many as its file had', () => {
    const files = used(edge, `void '${words(36)}.';\n`);
    expect(findingsOf(files)).toEqual([
      `${edge}:1 long-sentences - split this sentence: it has 36 words, 35 are allowed`,
    ]);
    const comment = used(edge, `// ${words(18)}\n// ${words(18)}.\nvoid 0;\n`);
    expect(positionsOf(comment)).toEqual([`${edge}:1 long-sentences`]);
    const ratchet = JSON.stringify({ 'long-sentences': { [edge]: 1 } });
    expect(findingsOf({ ...files, 'scripts/tidy-ratchet.json': ratchet })).toEqual([]);
  });
});

test('ceilings are lowered by what is found, and never raised', () => {
  const ratchetOf = (mostly: number, rest: object) =>
    `${JSON.stringify({ 'avoided-words': { mostly, ...rest } }, null, 2)}\n`;
  const lowered = (text: string) => {
    const files = { 'docs/a.md': '# Mostly\n\nMostly a.\n', 'scripts/tidy-ratchet.json': text };
    const list = Object.entries(files).map(([path, each]) => ({ path, text: each }));
    return lowerRatchet(text, findAll(createProject(list)));
  };
  expect(lowered(ratchetOf(5, { anew: 1 }))).toBe(ratchetOf(2, {}));
  expect(lowered(ratchetOf(1, {}))).toBe(ratchetOf(1, {}));
});
