import { describe, expect, test } from 'vitest';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { listBindings } from '../../src/operations/projects/bindings.ts';
import { type Project, ProjectsError, withEnsure } from '../../src/platforms/billing/projects.ts';
import type { Platform } from '../../src/platforms/model/port.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';
import { consoleOf } from './support/console-of.ts';

const yamlOn = (store: string) => `
company: acme
store: ${store}
platforms:
  sandbox: { kind: simulator }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, dailyBudgetUsd: "5" }
`;
const [searching, tutoring] = ['prod-acme-core-search', 'prod-acme-core-tutor'];
const reason = 'the new account of the company';

/**
 * A platform that bills by project. It has the projects of `there`, and does not create `refused`.
 */
function platformWith(there: Project[], refused: { name?: string }): Platform {
  return {
    ...{ name: 'hosted', kind: 'openai', needsProject: true },
    projects: withEnsure({
      list: async () => [...there],
      async create(name) {
        if (name === refused.name) throw new ProjectsError('the organization has no room for it');
        const project = { id: `proj_${there.length + 1}`, name, isArchived: false };
        there.push(project);
        return project;
      },
    }),
    model: () => {
      throw new Error('no model is asked for');
    },
    close: async () => {},
  };
}

describe.each(storeKinds)('the console applies projects on %s', (kind) => {
  const shared = sharedOn(kind, async (store) =>
    withApps(await openStack({ yaml: yamlOn(store) })),
  );

  test('one is adopted, one fails separately, and the next run creates the rest', async () => {
    const { admin } = shared().stack;
    const there = [{ id: 'proj_1', name: searching, isArchived: false }];
    const refused: { name?: string } = { name: tutoring };
    const asking = consoleOf(shared().stack, { platforms: [platformWith(there, refused)] });
    const ask = asking('operator', { name: 'grace' });
    const bound = async () =>
      (await listBindings(admin)).filter(({ platform }) => platform === 'hosted');
    const written = async () => {
      const all = { subject: undefined, actor: undefined, since: undefined, limit: 1_000 };
      const lines = (await listLines(admin, all)).toReversed();
      return lines.filter(({ subject }) => subject.endsWith(' on hosted'));
    };

    const planned = await ask('POST /projects/plan', {});
    expect(planned.body.items).toMatchObject([
      { app: 'search', platform: 'hosted', project: searching, state: 'adopt' },
      { app: 'tutor', platform: 'hosted', project: tutoring, state: 'create', projectId: null },
    ]);
    const rehearsed = await ask('POST /projects/apply', { reason, dryRun: true });
    expect(rehearsed.body.result).toEqual(planned.body.items);
    expect([await bound(), await written(), there.length]).toEqual([[], [], 1]);
    for (const role of ['viewer', 'team', 'finance'] as const) {
      expect((await asking(role)('POST /projects/apply', { reason })).status).toBe(403);
    }

    const first = await ask('POST /projects/apply', { reason });
    expect(first.status).toBe(200);
    expect(first.body.result).toMatchObject([
      { app: 'search', state: 'adopted', projectId: 'proj_1' },
      { app: 'tutor', state: 'failed', note: expect.stringContaining('has no room for it') },
    ]);
    expect(await bound()).toEqual([{ app: 'search', platform: 'hosted', projectId: 'proj_1' }]);

    refused.name = '';
    const second = await ask('POST /projects/apply', { reason });
    expect(second.body.result).toMatchObject([
      { app: 'search', state: 'bound' },
      { app: 'tutor', state: 'created', projectId: 'proj_2' },
    ]);
    expect(there.map(({ name }) => name)).toEqual([searching, tutoring]);
    expect(await bound()).toHaveLength(2);
    const lines = await written();
    expect(lines.map(({ action, subject }) => [action, subject])).toEqual([
      ['project.bind', 'search on hosted'],
      ['project.create', `${tutoring} on hosted`],
      ['project.bind', 'tutor on hosted'],
    ]);
    for (const { actor, reason: why } of lines) {
      expect([actor, why]).toEqual([expect.stringContaining('grace'), reason]);
    }
    expect(second.body.changes).toMatchObject(lines.slice(1).map(({ action }) => ({ action })));

    const third = await ask('POST /projects/apply', { reason });
    expect(third.body.result).toMatchObject([{ state: 'bound' }, { state: 'bound' }]);
    expect(third.body.changes).toEqual([]);
    expect(await written()).toHaveLength(3);
  });
});
