import { appRow } from '../apps/apps.ts';
import { app, optional } from '../description/field.ts';
import { operation } from '../description/operation.ts';
import { listKeys } from './key-document.ts';
import { keyFilters } from './key-filters.ts';
import { countKeys, findKeys } from './key-page.ts';
import { keysLines } from './lines.ts';

export const list = operation({
  name: 'keys list',
  about: 'list keys with their last use (the secrets are not stored)',
  right: 'look',
  http: ['GET /keys', 'GET /apps/:app/keys'],
  apps: 'own',
  input: { app: optional(app('only keys of this app')), ...keyFilters },
  example: { app: 'search' },
  commands: [{ document: ({ items }) => items }],
  result: async () => (await import('../documents/keys.ts')).KeysPage,
  async run({ admin, apps }, { app: of, key, ...search }) {
    if ([key, ...Object.values(search)].some((given) => given !== undefined))
      return findKeys(admin, { app: of, apps, key }, search);
    if (of !== undefined) await appRow(admin, of);
    const keys = await listKeys(admin, of);
    const items = keys.filter((each) => apps?.includes(each.app ?? each.customerId) !== false);
    return { items, after: null };
  },
  lines: ({ items }) => keysLines(items),
});

export const counts = operation({
  name: 'keys counts',
  about: 'count keys by state, app and contact, and show open rotations',
  right: 'look',
  http: ['GET /key-counts'],
  apps: 'own',
  input: { app: optional(app('only keys of this app')) },
  commands: [],
  result: async () => (await import('../documents/keys.ts')).KeyCounts,
  run: ({ admin, apps }, { app: of }) => countKeys(admin, { app: of, apps }),
});
