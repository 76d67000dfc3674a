import { resolve } from 'node:path';
import type { Store } from '../../store/port/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { int } from '../../store/schema/columns.ts';
import { argument, text } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';

export const backup: readonly Operation[] = [
  operation({
    name: 'backup',
    about: 'back up a SQLite store, even while it is in use',
    opens: 'file',
    needs: ['store'],
    input: { file: argument(text('new file', 'file')) },
    example: { file: 'gateway.backup.db' },
    result: async () => (await import('../documents/store.ts')).StoreCopy,
    async run({ store }, { file }) {
      const { backUpStore } = await import('./store-file.ts');
      return backUpStore(store, resolve(file));
    },
    lines: ({ store, file, bytes }) => [
      `Wrote ${file} (${bytes} bytes). Leave ${store}.epoch in place; a restore needs it.`,
      `Back up ${store}.keys separately, unless MODEL_GATEWAY_KEYS holds the keys. Without them, encrypted data is lost.`,
    ],
  }),
];

export const migrate: readonly Operation[] = [
  operation({
    name: 'migrate',
    about: "update the store's schema",
    opens: 'store',
    result: async () => (await import('../documents/store.ts')).StoreVersion,
    run: async ({ admin: { store } }) => ({
      store: store.kind,
      schemaVersion: await schemaVersion(store),
    }),
    lines: ({ store, schemaVersion: version }) => [
      `The ${store} store is up to date (schema version ${version}).`,
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
