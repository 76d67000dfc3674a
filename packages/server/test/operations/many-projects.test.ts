import { beforeEach, describe, expect, test } from 'vitest';
import { createIds } from '../../src/lib/id.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { applyFile } from '../../src/operations/config/declared-apps.ts';
import { type AdminContext, createAdminContext } from '../../src/operations/context/context.ts';
import { withLease } from '../../src/operations/context/lease.ts';
import { bindSimulatorProjects, listBindings } from '../../src/operations/projects/bindings.ts';
import { applyProjects } from '../../src/operations/projects/project-apply.ts';
import { type Project, ProjectsError, withEnsure } from '../../src/platforms/billing/projects.ts';
import type { Platform } from '../../src/platforms/model/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { createTestClock } from '../support/test-clock.ts';

// Requests to platforms, and log lines, with enough apps to make growth visible.

const appsMax = 60;
const names = Array.from({ length: appsMax }, (_, index) => `app-${index}`);

let clock: ReturnType<typeof createTestClock>;
let admin: AdminContext;
beforeEach(async () => {
  clock = createTestClock();
  const store = openDirectStore(':memory:');
  const adminOptions = { company: 'acme', adminEmail: undefined, actor: 'test' };
  admin = createAdminContext({ store, clock, ids: createIds(clock), ...adminOptions });
  await applyFile(
    admin,
    names.map((name) => ({ name })),
  );
});

/** A platform that counts its requests, and rejects creations that match `refused`. */
function countedPlatform(kind: Platform['kind'], refused = /^$/) {
  const made: Project[] = [];
  const requests = { lists: 0, creates: 0 };
  const platform: Platform = {
    ...{ name: 'hosted', kind, needsProject: true },
    projects: withEnsure({
      async list() {
        requests.lists += 1;
        return [...made];
      },
      async create(name) {
        requests.creates += 1;
        if (refused.test(name)) throw new ProjectsError('it has no room');
        const project = { id: `proj_${made.length}`, name, isArchived: false };
        made.push(project);
        return project;
      },
    }),
    model: () => {
      throw new Error('no model is called');
    },
    close: async () => {},
  };
  return { platform, requests };
}

describe('a startup with a simulator', () => {
  test('lists its projects once for all apps, and not again', async () => {
    const { platform, requests } = countedPlatform('simulator');
    await bindSimulatorProjects(admin, [platform], silentLog);
    expect(requests).toEqual({ lists: 1, creates: appsMax });
    expect(await listBindings(admin)).toHaveLength(appsMax);
    await bindSimulatorProjects(admin, [platform], silentLog);
    expect(requests).toEqual({ lists: 1, creates: appsMax });
  });

  test('logs one line with 20 apps and the count of the others', async () => {
    const { platform } = countedPlatform('simulator', /./);
    const warnings: [object, string][] = [];
    const log: Log = { ...silentLog, warn: (fields, text) => void warnings.push([fields, text]) };
    await bindSimulatorProjects(admin, [platform], log);
    const apps = `${names.toSorted().slice(0, 20).join(', ')} and ${appsMax - 20} more`;
    const fields = { platform: 'hosted', apps, error: 'ProjectsError: it has no room' };
    const text = 'could not create projects for these apps on the simulator';
    expect(warnings).toEqual([[fields, text]]);
  });
});

describe('projects apply', () => {
  const applied = async (platform: Platform) =>
    Object.groupBy(await applyProjects(admin, [platform]), ({ state }) => state);

  test('lists twice for all apps: for the plan, and under the lease', async () => {
    const { platform, requests } = countedPlatform('openai');
    expect((await applied(platform)).created).toHaveLength(appsMax);
    expect(requests).toEqual({ lists: 2, creates: appsMax });
    expect(await listBindings(admin)).toHaveLength(appsMax);
  });

  test('lists once more where creations failed, and the other apps are bound', async () => {
    const { platform, requests } = countedPlatform('openai', /7$/);
    const { created, failed } = await applied(platform);
    const refused = names.filter((name) => name.endsWith('7'));
    expect(failed?.map(({ app }) => app).toSorted()).toEqual(refused.toSorted());
    expect(created).toHaveLength(appsMax - refused.length);
    expect(requests).toEqual({ lists: 3, creates: appsMax });
  });
});

describe('a lease that long work renews', () => {
  test('is held past its time, and nobody else gets it', async () => {
    const order: string[] = [];
    await withLease(admin, 'a', async (renew) => {
      for (let step = 0; step < 4; step++) {
        await clock.advance(200_000);
        await renew();
      }
      const expiries = await admin.store.read({
        sql: 'select expires_at from lease',
        values: [],
        map: (rows) => rows.map((row) => Number(row.expires_at) > clock.now()),
      });
      expect(expiries).toEqual([true]);
      order.push('first');
    });
    await withLease(admin, 'a', async () => void order.push('second'));
    expect(order).toEqual(['first', 'second']);
  });

  test('is an error if another process has taken it', async () => {
    const work = withLease(admin, 'a', async (renew) => {
      await clock.advance(400_000);
      await admin.store.write([
        {
          sql: "update lease set owner = 'other', expires_at = $1",
          values: [clock.now() + 300_000],
        },
      ]);
      await renew();
    });
    await expect(work).rejects.toThrow('another process took the lease a; try again');
  });
});
