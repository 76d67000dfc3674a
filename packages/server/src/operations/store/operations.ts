import { resolve } from 'node:path';
import type { Store } from '../../store/port/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { int } from '../../store/schema/columns.ts';
import { argument, text } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';

export const backup: readonly Operation[] = [
  operation({
    name: 'backup',
    about: 'copy a SQLite store, also while it is served',
    opens: 'file',
    needs: ['store'],
    input: { file: argument(text('a file that does not exist yet', 'file')) },
    example: { file: 'gateway.backup.db' },
    result: async () => (await import('../documents/store.ts')).StoreCopy,
    async run({ store }, { file }) {
      const { backUpStore } = await import('./store-file.ts');
      return backUpStore(store, resolve(file));
    },
    lines: ({ store, file, bytes }) => [
      `Wrote ${file}, ${bytes} bytes. Keep ${store}.epoch where it is: a restore needs it.`,
      `Keep ${store}.keys elsewhere, unless MODEL_GATEWAY_KEYS has it: without it what is sealed is lost.`,
    ],
  }),
];

export const migrate: readonly Operation[] = [
  operation({
    name: 'migrate',
    about: "bring the store's schema up to date",
    opens: 'store',
    result: async () => (await import('../documents/store.ts')).StoreVersion,
    run: async ({ admin: { store } }) => ({
      store: store.kind,
      schemaVersion: await schemaVersion(store),
    }),
    lines: ({ store, schemaVersion: version }) => [
      `The ${store} store has schema version ${version}, which is up to date.`,
    ],
  }),
];

export function schemaVersion(store: Store): Promise<number> {
  return store.read({
    sql: sql.selectSchemaVersion,
    values: [],
    map: ([row]) => (row === undefined ? 0 : int(row, 'version')),
  });
}
