import { existsSync } from 'node:fs';
import process from 'node:process';
import { moduleOf } from '../install.ts';
import type { Browser } from './driver.ts';
import { type Program, unpackChromium } from './unpack.ts';

interface Driver {
  readonly chromium: {
    launch(options: {
      readonly executablePath: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string | undefined>>;
    }): Promise<Browser>;
  };
}

/** Debian installs this as `chromium-headless-shell`. */
const debians = '/usr/bin/chromium-headless-shell';

/**
 * The browser of a name: npm's `chromium`, or Debian's as `debian`. A missing browser is an error:
 * nothing is skipped in silence.
 */
export async function chooseBrowser(name: string): Promise<Program> {
  if (name === 'chromium') return unpackChromium();
  if (name !== 'debian') throw new Error(`unknown browser "${name}": chromium or debian`);
  if (!existsSync(debians)) throw new Error(`${debians} is not there: apt-get install it`);
  return { executablePath: debians, env: {} };
}

/** Starts a browser without a sandbox: it visits only this machine's own pages, maybe as root. */
export async function openBrowser({ executablePath, env }: Program): Promise<Browser> {
  const { chromium } = await moduleOf<Driver>('playwright-core/index.mjs');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox'],
    env: { ...process.env, ...env },
  });
}
