import { isAbsolute, resolve } from 'node:path';
import type { StoreTarget } from '../domain/store-target.ts';
import { mustBeOneOf, show } from '../lib/sentences.ts';
import { type Field, report } from './field.ts';
import { textSchema } from './reader.ts';
import { text } from './scalars.ts';

const sqlite = /^sqlite:(?!\/\/[^/]|:memory:$)(.+)$/;
const postgres = /^postgres(ql)?:\/\/./;

const sslModes: readonly string[] = [
  'disable',
  'allow',
  'prefer',
  'require',
  'verify-ca',
  'verify-full',
  'no-verify',
];

export const storeSchema = textSchema(`${sqlite.source}|${postgres.source}`);

/**
 * `folder` is the base of a SQLite path; without it the path must be absolute. The value might
 * contain a password.
 */
export function readStore(field: Field, folder: string | undefined): StoreTarget | undefined {
  const value = text(field);
  if (value === undefined) return undefined;
  const path = sqlite.exec(value)?.[1];
  if (path !== undefined) {
    if (folder !== undefined || isAbsolute(path)) {
      return { kind: 'sqlite', path: resolve(folder ?? '', path) };
    }
    return report(
      field,
      `sqlite:${path} is a relative path, but the configuration has no folder; use sqlite:/ and an absolute path`,
    );
  }
  if (postgres.test(value) && URL.canParse(value)) {
    const mode = new URL(value).searchParams.get('sslmode');
    if (mode === null || sslModes.includes(mode)) return { kind: 'postgres', url: value };
    // No part of a variable's URL is shown.
    const isShown = field.tree.kind === 'scalar' && field.tree.written === value;
    const actual = { word: mode, shown: isShown ? show(mode) : 'another' };
    return report(field, `its sslmode ${mustBeOneOf(sslModes, actual)}`);
  }
  return report(
    field,
    'must be a store such as sqlite:./data/gateway.db or postgres://user:password@host:5432/database',
  );
}
