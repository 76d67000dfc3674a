import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { moduleOf, packagePath } from '../install.ts';

/** A browser on the disk, and the paths of its libraries and fonts for its process. */
export interface Program {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Packed {
  readonly default: { executablePath(): Promise<string> };
  readonly inflate: (file: string) => Promise<string>;
}

const packed = '@sparticuz/chromium';

/** Unpacks Chromium from npm's package, once: 210 MB in addition to npm's files, 2 to 6 seconds. */
export async function unpackChromium(): Promise<Program> {
  const folder = packagePath('.chromium');
  if (!existsSync(folder)) await unpackInto(folder);
  const env = {
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  };
  return { executablePath: join(folder, 'chromium'), env };
}

/** The path of its fonts: it ends at a character that none of them has. */
function fontsOf(folder: string): string {
  const folders = [packagePath('dejavu-fonts-ttf/ttf'), join(folder, 'fonts')];
  const directories = folders.map((folder) => `<dir>${folder}</dir>`).join('');
  const cache = `<cachedir>${join(folder, 'fonts-cache')}</cachedir>`;
  return `<?xml version="1.0"?><fontconfig>${directories}${cache}</fontconfig>`;
}

/** The package unpacks into the folder for temporary files, and accepts half a file as complete. */
async function unpackInto(folder: string): Promise<void> {
  const partial = `${folder}-partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = partial;
  try {
    const { default: chromium, inflate } = await moduleOf<Packed>(`${packed}/build/index.js`);
    await chromium.executablePath();
    await inflate(packagePath(`${packed}/bin/al2023.tar.br`));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await writeFile(join(partial, 'fonts.conf'), fontsOf(folder));
  await rename(partial, folder);
}
