import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { run } from '../harness/process.ts';

const root = new URL('..', import.meta.url).pathname;
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const tracked = (await run('git', ['ls-files'], { cwd: root })).trim().split('\n');
const manifest = JSON.parse(read('package.json'));
const workflows = globSync('.github/workflows/*.yml', { cwd: root });
const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root });

/** A file of YAML as data; its warnings and errors are failures. */
function yaml(path: string) {
  const document = parseDocument(read(path), { uniqueKeys: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS();
}

/** Every value below a key of this name, at any depth. */
function valuesOf(key: string, value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    ...(name === key ? [part] : []),
    ...valuesOf(key, part),
  ]);
}

/** The steps of a workflow, each with the name of its job. */
function stepsOf(path: string) {
  return Object.entries(Object(yaml(path).jobs)).flatMap(([job, parts]) =>
    [...Object(parts).steps].map((step) => ({ job, ...Object(step) })),
  );
}

const optionalChecks: readonly string[] = yaml('.github/workflows/checks.yml').jobs.check.strategy
  .matrix.check;
/** It compares with a commit that a person must name. */
const byHand = ['upgrade'];

describe('the workflows', () => {
  test('are the four that the documents name', () => {
    expect(workflows.toSorted()).toEqual([
      '.github/workflows/checks.yml',
      '.github/workflows/ci.yml',
      '.github/workflows/image.yml',
      '.github/workflows/release.yml',
    ]);
  });

  test.each(workflows)('%s may only read, unless a job has more permissions', (path) => {
    expect(yaml(path).permissions).toEqual({ contents: 'read' });
  });

  // GitHub rejects the whole workflow for one such name.
  test.each(workflows)('%s quotes what is not an identifier in an expression', (path) => {
    for (const [, expression = ''] of read(path).matchAll(/\$\{\{(.*?)\}\}/g)) {
      const dotted = expression.replaceAll(/'[^']*'/g, "''").matchAll(/\.([^\s.()[\],]+)/g);
      for (const [, name] of dotted) expect(name, expression).toMatch(/^[A-Za-z_][\w-]*$/);
    }
  });

  test.each(workflows)('%s pins each action to a commit, with its version', (path) => {
    const uses = stepsOf(path).flatMap((step) => step.uses ?? []);
    expect(uses.length).toBeGreaterThan(0);
    for (const use of uses) {
      expect(use).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/);
      expect(read(path)).toMatch(new RegExp(`uses: ${use} # v\\d+\\.\\d+\\.\\d+\\n`));
    }
  });

  test.each(workflows)('%s runs commands that exist', (path) => {
    const ours = valuesOf('script', yaml(path)).map(String);
    const lines = [...stepsOf(path).flatMap((step) => step.run ?? []), ...ours];
    const expanded = lines.flatMap((line) =>
      optionalChecks.map((check) => String(line).replace(/\$\{\{ matrix\.check \}\}/, check)),
    );
    for (const line of expanded) expect(checkedLine(line)).toBe(`${line}: known`);
  });

  test('of each week runs every optional check', () => {
    const scripts = Object.keys(manifest.scripts).filter((name) => name.startsWith('check:'));
    const all = [...optionalChecks, ...byHand].map((check) => `check:${check}`);
    expect(all.toSorted()).toEqual(scripts.toSorted());
  });

  test('of each week runs the list of checks/README.md, which has each folder', () => {
    const list = read('checks/README.md');
    const rows = [...list.matchAll(/^\| `check:([\w-]+)` \| /gm)].map(([, check]) => check);
    expect(rows).toEqual([...optionalChecks, ...byHand].toSorted());
    for (const path of globSync('checks/*/README.md', { cwd: root })) {
      expect(list).toContain(`(${path.replace('checks/', '')})`);
    }
  });

  test("of a pull request runs the README's commands for a newcomer", () => {
    expect(stepsOf('.github/workflows/ci.yml').flatMap((step) => step.run ?? [])).toEqual([
      '.ci/run',
    ]);
    accessSync(`${root}.ci/run`, constants.X_OK);
    const commands = [...read('.ci/run').matchAll(/^(?:step )?(npm .*?)(?: \|\| exit 1)?$/gm)];
    const [install, first, rest, ...more] = commands.map(([, command]) => command);
    expect([install, first, rest, more]).toEqual(['npm ci', 'npm test', 'npm run test:rest', []]);
    expect(read('README.md')).toContain(`${install} && ${first}\n`);
    const checks = [...read('.ci/run').matchAll(/^ {2}step npm run (check:.*)$/gm)];
    const named = checks.map(([, command]) => command);
    expect(named).toEqual(['check:standards -- --fast', 'check:console -- --installed']);
  });

  test('of a pull request has the oldest Node that package.json accepts', () => {
    const nodes = yaml('.github/workflows/ci.yml').jobs.test.strategy.matrix.node;
    expect(`>=${Math.min(...nodes)}`).toBe(manifest.engines.node);
  });
});

/** Checks that every script in a line exists. */
function checkedLine(line: string): string {
  const [program = '', verb = '', name = ''] = line.split(' ');
  const isThere =
    program === 'npm'
      ? ['ci', 'test', 'pkg'].includes(verb) || (verb === 'run' && name in manifest.scripts)
      : existsSync(`${root}${program}`);
  return `${line}: ${isThere ? 'known' : 'unknown'}`;
}

describe('the release', () => {
  const { jobs } = yaml('.github/workflows/release.yml');

  test('publishes with provenance, by an identity in place of a token', () => {
    expect(jobs.publish.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
    expect(read('.github/workflows/release.yml')).not.toMatch(/secrets\.|registry-url/);
    for (const name of ['sdk', 'server']) {
      const { publishConfig } = JSON.parse(read(`packages/${name}/package.json`));
      expect(publishConfig).toEqual({ access: 'public', provenance: true });
    }
  });

  test('publishes tarballs, which another job has tested and packed', () => {
    const packed = jobs.pack.steps.flatMap((step: { run?: string }) => step.run ?? []);
    expect(packed[0]).toBe('.ci/run');
    const publish = jobs.publish.steps.at(-1);
    expect(publish.with['pack-dir-artifact-id']).toBe(`\${{ ${'needs.pack.outputs.tarballs'} }}`);
    expect([jobs.publish.needs, jobs.pack.needs]).toEqual(['pack', 'mode']);
  });

  test('is off until somebody turns it on', () => {
    expect(jobs.mode.if).toBe("vars.PUBLISH_PACKAGES == 'true'");
    expect([jobs.version.needs, jobs.pack.needs]).toEqual(['mode', 'mode']);
  });

  test('includes the service and the client; their inner packages are private', () => {
    const published = globSync('packages/*/package.json', { cwd: root })
      .map((path) => JSON.parse(read(path)))
      .filter((each) => each.private !== true)
      .map((each) => each.name);
    expect(published.toSorted()).toEqual(['@model-gateway/sdk', '@model-gateway/server']);
  });
});

describe('the files of the project', () => {
  test.each(forms.filter((path) => !path.endsWith('config.yml')))('%s is a form', (path) => {
    const { name, description, body } = yaml(path);
    expect([typeof name, typeof description]).toEqual(['string', 'string']);
    const fields: { type: string; id?: string; attributes: object }[] = body;
    const ids = fields.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, id, attributes } of fields) {
      expect(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']).toContain(type);
      expect(type === 'markdown' || (id !== undefined && 'label' in attributes)).toBe(true);
    }
  });

  test('every issue starts from a form', () => {
    expect(yaml('.github/ISSUE_TEMPLATE/config.yml')).toEqual({ blank_issues_enabled: false });
    expect(forms).toHaveLength(4);
  });

  test('dependabot checks each folder with packages', () => {
    const { version, updates } = yaml('.github/dependabot.yml');
    expect(version).toBe(2);
    const npm = updates.filter((each: object) => Object(each)['package-ecosystem'] === 'npm');
    const installed = npm.flatMap((each: object) => {
      const { directory, directories } = Object(each);
      return directories ?? [directory];
    });
    const locked = tracked.filter((path) => matchesGlob(path, '**/package-lock.json'));
    const folders = locked.map((path) => `/${path.replace(/\/?package-lock\.json$/, '')}`);
    expect(installed.toSorted()).toEqual(folders.toSorted());
  });

  test('a container installs with the command of the README', () => {
    const container = JSON.parse(read('.devcontainer/devcontainer.json'));
    expect(container.postCreateCommand).toBe('npm ci');
    const major = Number(/^node:(\d+)$/.exec(container.image)?.[1]);
    expect(major).toBeGreaterThanOrEqual(Number(manifest.engines.node.slice(2)));
  });

  test('every line of .gitattributes has its files', () => {
    const patterns = read('.gitattributes').match(/^[^#\s]\S*/gm) ?? [];
    for (const pattern of patterns) {
      expect(tracked.some((path) => matchesGlob(path, `{${pattern},**/${pattern}}`))).toBe(true);
    }
  });
});
