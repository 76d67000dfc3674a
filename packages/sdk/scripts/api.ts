import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { parseSync } from 'rolldown/utils';

/**
 * The package's public API as text: its types without comments, and its size. The size is rounded
 * up, so only a noticeable change alters it.
 */
export async function describeApi(folder: string): Promise<string> {
  const chapters = ['index', 'ai', 'openai', 'testing', 'web'].map(async (name) => {
    const types = withoutComments(readFileSync(join(folder, `dist/${name}.d.ts`), 'utf8'));
    const kilobytes = Math.ceil((await minifiedBytes(join(folder, `dist/${name}.mjs`))) / 500) / 2;
    return `== ${name}: at most ${kilobytes.toFixed(1)} kB minified and gzipped ==\n\n${types}`;
  });
  return `${(await Promise.all(chapters)).join('\n')}`;
}

/** The bytes that an entry adds to a bundle, minified and gzipped. */
export async function minifiedBytes(entry: string): Promise<number> {
  const bundle = await rolldown({ input: entry, platform: 'node', external: /^node:/ });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  return gzipSync(output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('\n')).length;
}

function withoutComments(text: string): string {
  let code = '';
  let end = 0;
  for (const comment of parseSync('types.d.ts', text).comments) {
    code += text.slice(end, comment.start);
    end = comment.end;
  }
  return `${code}${text.slice(end)}`.replace(/^\s*\n/gm, '').trimStart();
}

// `node packages/sdk/scripts/api.ts` writes the file that the tests compare.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  execFileSync(process.execPath, [join(folder, 'scripts/build.ts')], { stdio: 'inherit' });
  writeFileSync(join(folder, 'api.txt'), await describeApi(folder));
}
