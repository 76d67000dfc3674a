import { resolve } from 'node:path';
import type { StoreTarget } from '../domain/store-target.ts';
import { type Field, report } from './field.ts';
import { textSchema } from './reader.ts';
import { text } from './scalars.ts';

const sqlite = /^sqlite:(?!\/\/[^/]|:memory:$)(.+)$/;
const postgres = /^postgres(ql)?:\/\/./;

/** What `store` takes. */
export const storeSchema = textSchema(`${sqlite.source}|${postgres.source}`);

/** Which database; a SQLite path is taken from `folder`. The value may hold a password. */
export function readStore(field: Field, folder: string): StoreTarget | undefined {
  const value = text(field);
  if (value === undefined) return undefined;
  const path = sqlite.exec(value)?.[1];
  if (path !== undefined) return { kind: 'sqlite', path: resolve(folder, path) };
  if (postgres.test(value) && URL.canParse(value)) return { kind: 'postgres', url: value };
  return report(
    field,
    'is no store; write sqlite:./data/gateway.db or postgres://user:password@host:5432/database',
  );
}
