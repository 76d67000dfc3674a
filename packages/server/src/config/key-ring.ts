import { createKeyRing, type KeyRing, readRing } from '../lib/key-ring.ts';
import type { Environment } from './choose-file.ts';

/** The variable with the operator's ring, and the one that names a file with it. */
const variable = 'MODEL_GATEWAY_KEYS';
const fileVariable = 'MODEL_GATEWAY_KEYS_FILE';

/** The operator's key ring; undefined where none is given. No problem shows a part of it. */
export function keyRingOf(
  source: { readonly environment: Environment; readonly readFile: (path: string) => string },
  problems: string[],
): KeyRing | undefined {
  const { [variable]: own = '', [fileVariable]: file = '' } = source.environment;
  if (own === '' && file === '') return undefined;
  if (own !== '' && file !== '') {
    problems.push(`${variable} and ${fileVariable} are both set: keep one of them`);
    return undefined;
  }
  const text = own === '' ? textOf(source.readFile, file, problems) : own;
  if (text === undefined) return undefined;
  const read = readRing(text);
  if ('keys' in read) return createKeyRing(read.keys);
  problems.push(`${own === '' ? `${fileVariable} (${file})` : variable}: ${read.problem}`);
  return undefined;
}

function textOf(
  readFile: (path: string) => string,
  file: string,
  problems: string[],
): string | undefined {
  try {
    return readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    problems.push(`${fileVariable}: ${file} cannot be read (${code})`);
    return undefined;
  }
}
