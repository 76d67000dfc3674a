import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';

/** The data of both packages, as text. */
export interface PriceData {
  /** `data.py` of genai-prices. */
  readonly genaiPrices: string;
  readonly litellm: string;
}

const members = {
  genaiPrices: 'genai_prices/data.py',
  litellm: 'litellm/model_prices_and_context_window_backup.json',
} as const;

/** Copies one file out of a wheel: its path, the file's name in it, and the folder. */
const extraction = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract(*sys.argv[2:])';

/** One wheel on every machine, so its digest can be recorded. */
const platform = [
  ...['--only-binary=:all:', '--platform', 'manylinux_2_28_x86_64'],
  ...['--implementation', 'cp', '--python-version', '3.12', '--abi', 'abi3', '--abi', 'none'],
];

/**
 * Downloads the wheels with pip, which rejects a wheel with another digest, and reads their data.
 * Once for a machine. No code of a wheel is run.
 */
export async function downloadPrices(): Promise<PriceData> {
  const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const folder = join(homedir(), '.cache', 'model-gateway', `prices-${digest.slice(0, 16)}`);
  if (!existsSync(folder)) await fill(folder, requirements);
  return {
    genaiPrices: await readFile(join(folder, members.genaiPrices), 'utf8'),
    litellm: await readFile(join(folder, members.litellm), 'utf8'),
  };
}

async function fill(folder: string, requirements: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes'];
  const argv = ['-m', 'pip', 'download', ...quiet, ...platform, '--requirement', requirements];
  await run('python3', [...argv, '--dest', unfinished]);
  for (const name of await readdir(unfinished)) {
    const member = name.startsWith('litellm-') ? members.litellm : members.genaiPrices;
    await run('python3', ['-c', extraction, join(unfinished, name), member, unfinished]);
    await rm(join(unfinished, name));
  }
  await rename(unfinished, folder);
}
