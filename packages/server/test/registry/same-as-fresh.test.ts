import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashKey } from '../../src/registry/key-ring.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { sharedBindings } from '../../src/registry/shared-projects.ts';
import type { Statement } from '../../src/store/port/port.ts';
import { selectBindings } from '../../src/store/queries/registry.ts';
import { bump, openings, openOn } from './support/registry-store.ts';

const apps = ['a', 'b', 'c'];
const keys = ['k0', 'k1', 'k2', 'k3'];
const projects = ['p1', 'p2', 'default'];
const scopes = ['app:a', 'users:a', 'users:b', 'key:k0', 'key:k1', 'group:all', 'group:some'];
const day = '2026-11-28';

const app = fc.constantFrom(...apps);
const key = fc.constantFrom(...keys);
const flag = fc.constantFrom(0, 1);
const models = fc.constantFrom(null, '["m1"]', '["m2","m1"]');
const platform = fc.constantFrom('here', 'there');
const span = fc.constantFrom('day', 'month');
const members = fc.constantFrom('all', '["a"]', '["b","c"]');

const putApp = `
  insert into app (name, origin, enabled, models, require_priced, store_answers, adopt_retries, created_at)
  values ($1, 'command', $2, $3, 0, 0, 0, 0)
  on conflict (name) do update set enabled = excluded.enabled, models = excluded.models`;
const putKey = `
  insert into api_key (id, key_hash, name, customer_id, enabled, created_at, models, lineage)
  values ($1, $2, 'llm::user::a::team@acme.example', $3, $4, 0, $5, $6)
  on conflict (id) do update
     set enabled = excluded.enabled, models = excluded.models, customer_id = excluded.customer_id`;
const putBinding = `
  insert into project_binding (app, platform, project_id) values ($1, $2, $3)
  on conflict (app, platform) do update set project_id = excluded.project_id`;
const putBudget = `
  insert into budget_definition (scope, span, cap, mode, visible, members, origin, since)
  values ($1, $2, $3, 'enforce', $4, $5, 'command', 0)
  on conflict (scope, span) do update
     set cap = excluded.cap, visible = excluded.visible, members = excluded.members`;

/** One statement of a change; a revision without a statement represents a change without a line. */
const statement: fc.Arbitrary<readonly Statement[]> = fc.oneof(
  fc.tuple(app, flag, models).map((values) => [{ sql: putApp, values }]),
  fc.tuple(key, app, flag, models).map(([id, of, enabled, some]) => {
    // The last two were rotated from the first two.
    const lineage = `k${Number(id.slice(1)) % 2}`;
    return [{ sql: putKey, values: [id, hashKey(textOf(id)), of, enabled, some, lineage] }];
  }),
  fc
    .tuple(app, platform, fc.constantFrom(...projects))
    .map((values) => [{ sql: putBinding, values }]),
  fc
    .tuple(fc.constantFrom(...scopes), span, fc.bigInt(1n, 9n), flag, members)
    .map(([scope, ...more]) => {
      const [of, cap, visible, some] = more;
      const listed = scope.startsWith('group:') ? some : null;
      return [{ sql: putBudget, values: [scope, of, cap, visible, listed] }];
    }),
  app.map((name) => [{ sql: 'delete from app where name = $1', values: [name] }]),
  key.map((id) => [{ sql: 'delete from api_key where id = $1', values: [id] }]),
  app.map((name) => [{ sql: 'delete from project_binding where app = $1', values: [name] }]),
  fc
    .constantFrom(...scopes)
    .map((scope) => [{ sql: 'delete from budget_definition where scope = $1', values: [scope] }]),
  fc.constant([]),
);

/** Transactions, and whether the registry refreshes after each. */
const changes = fc.array(
  fc.record({ statements: fc.array(statement, { maxLength: 4 }), isFollowed: fc.boolean() }),
  { maxLength: 12 },
);

function textOf(id: string): string {
  return `a key that was made elsewhere: ${id}`;
}

/** All data of a registry that callers can see. */
function seenOf(registry: Registry) {
  return {
    apps: [...registry.apps()].sort((one, other) => (one.name < other.name ? -1 : 1)),
    enabled: registry.enabledApps(),
    keys: keys.map((id) => {
      const found = registry.key(textOf(id));
      return {
        ...{ found, app: found && registry.appOf(found), closed: registry.closedKey(textOf(id)) },
        ofId: registry.keyOfId(id),
      };
    }),
    caps: apps.flatMap((name) =>
      [undefined, ...keys].map((keyId) =>
        registry.scopesOf({ app: name, keyId, userId: 'u', day }),
      ),
    ),
    visible: scopes.filter((scope) => registry.isVisible({ scope })),
    budgets: registry.budgets(),
  };
}

test.each(openings)(
  'a registry that followed changes equals a fresh one, on %s',
  async (name, open) => {
    const { store, remove } = await open();
    const followed = await openOn(store);
    try {
      const property = fc.asyncProperty(changes, async (transactions) => {
        for (const { statements, isFollowed } of transactions) {
          await store.write([bump, ...statements.flat()]);
          if (isFollowed) await followed.refresh();
        }
        await followed.refresh();
        const fresh = await openOn(store);
        await fresh.stop();
        expect(seenOf(followed)).toEqual(seenOf(fresh));
        const shared = sharedBindings(await store.read(selectBindings));
        for (const app of followed.apps()) {
          const own = shared.filter((binding) => binding.app === app.name);
          const platforms = own.map((binding) => binding.platform);
          expect([...app.sharedProjects.keys()].sort()).toEqual(platforms.sort());
        }
      });
      await fc.assert(property, { numRuns: name === 'SQLite' ? 100 : 20 });
    } finally {
      await followed.stop();
      await remove();
    }
  },
);
