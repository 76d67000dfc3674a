import { globSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Command, loadCommandTree } from '../packages/server/test/cli/support/command-tree.ts';
import { parseSource } from '../scripts/tidy/source.ts';
import { readRepositoryFile, rootFolder } from './testing/markdown.ts';
import { unknownInSentence, unknownMentions } from './testing/mentions.ts';

/** Options of other programs in our documents. */
const ofOthers =
  /--(cacert|enable-feature|list|max-semi-space-size|pipe|pty|stop-timeout|ulimit|v8-pool-size)$/;

/** A label that a key is derived with. It is not a command, and must never change. */
const derived = 'run X X: no such command';

let program: Command;
beforeAll(async () => {
  program = await loadCommandTree();
});

const filesOf = (...patterns: string[]) => globSync(patterns, { cwd: rootFolder }).toSorted();

/** The texts of a source file: literals and templates, with X for each value, and text of pages. */
function textsOf(path: string): readonly string[] {
  const { nodes, text } = parseSource({ path, text: readRepositoryFile(path) });
  return nodes.flatMap(({ node }) => {
    if (node.type === 'TemplateLiteral') return withoutValues(text.slice(node.start, node.end));
    if (node.type !== 'Literal' && node.type !== 'JSXText') return [];
    return typeof node.value === 'string' ? [node.value] : [];
  });
}

/** Symptoms in the first column are quotes of the log: troubleshooting.test.ts reads them. */
function documentOf(path: string): string {
  const text = readRepositoryFile(path);
  return path === 'docs/troubleshooting.md' ? text.replaceAll(/^\| `.*? \|/gm, '|') : text;
}

function withoutValues(template: string): string {
  const inner = template.slice(1, -1).replaceAll('\\`', '`');
  return inner.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, ' X');
}

describe('every named command and option exists', () => {
  test('in a document', () => {
    const documents = filesOf('*.md', 'docs/*.md', 'packages/**/README.md', 'docs/alerts.yml');
    const ours = documents.filter((path) => !/node_modules|CHANGELOG/.test(path));
    const unknown = [...ours, 'gateway.yaml'].flatMap((path) =>
      unknownMentions(program, documentOf(path)).map((fault) => `${path}: ${fault}`),
    );
    expect(ours.length).toBeGreaterThan(40);
    expect(unknown.filter((fault) => !ofOthers.test(fault))).toEqual([]);
  });

  test('in an alert, a log line, an error, a help text or a page of the console', () => {
    const sources = filesOf('packages/{server,lab,console,simulator,sdk}/src/**/*.{ts,tsx}');
    const unknown = sources.flatMap((path) =>
      textsOf(path)
        .flatMap((text) => [...unknownMentions(program, text), ...unknownInSentence(program, text)])
        .map((fault) => `${path}: ${fault}`),
    );
    expect(sources.length).toBeGreaterThan(1_000);
    expect(unknown.filter((fault) => !fault.endsWith(derived))).toEqual([]);
  });
});

describe('a text with an unknown command is found', () => {
  test.each([
    ['run "days reopen --every"', ['days reopen --every: no option --every']],
    ['see `model-gateway holds`', ['holds: no such command of holds']],
    ['then `npx model-gateway hold list`', ['hold list: no such command']],
    ['"keys issues --app a" makes one', ['keys issues --app a: no such command of keys']],
    ['`reconcile show --day D --app A` has it', []],
    ['`keys of an app`', ['keys of an app: no such command of keys']],
    ['the keys of an app', []],
  ])('%s', (text, faults) => {
    expect(unknownMentions(program, text)).toEqual(faults);
  });

  test.each([
    ['take it back with days reopen APP --every', ['--every']],
    ['start with --keep-mising, which serves them', ['--keep-mising']],
    ['book them by days close APP --usd X, or days close --all', []],
  ])('%s', (text, options) => {
    const unknownOptions = unknownInSentence(program, text).map(
      (fault) => fault.split('no option ')[1],
    );
    expect(unknownOptions).toEqual(options);
  });
});
