import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { type AdminContext, createAdminContext } from '../../src/operations/context/context.ts';
import { withLease } from '../../src/operations/context/lease.ts';
import { deleteBindings } from '../../src/operations/projects/bindings.ts';
import { applyProjects } from '../../src/operations/projects/project-apply.ts';
import { planProjects } from '../../src/operations/projects/project-plan.ts';
import {
  type Project,
  type ProjectSource,
  withEnsure,
} from '../../src/platforms/billing/projects.ts';
import type { Platform } from '../../src/platforms/model/port.ts';
import { text } from '../../src/store/schema/columns.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';

/** A clock on which every wait ends at once. */
function hastyClock(): Clock & { pass(delayMs: number): void } {
  let nowMs = Date.parse('2026-11-21T12:00:00Z');
  return {
    now: () => nowMs,
    monotonic: () => nowMs,
    after(delayMs, run) {
      nowMs += delayMs;
      queueMicrotask(run);
      return { cancel() {} };
    },
    pass(delayMs) {
      nowMs += delayMs;
    },
  };
}

let clock: ReturnType<typeof hastyClock>;
let admin: AdminContext;
beforeEach(async () => {
  clock = hastyClock();
  const store = openDirectStore(':memory:');
  const ids = createIds(clock);
  admin = createAdminContext({
    store,
    clock,
    ids,
    company: 'acme',
    adminEmail: undefined,
    actor: 'test',
  });
  await createApp(admin, 'search', {});
});

function platformOf(source: ProjectSource | undefined, parts: Partial<Platform> = {}): Platform {
  return {
    name: 'hosted',
    kind: 'openai',
    needsProject: true,
    projects: source && withEnsure(source),
    model: () => {
      throw new Error('no model is asked for');
    },
    close: async () => {},
    ...parts,
  };
}

function sourceOf(projects: Project[] = []): ProjectSource {
  return {
    list: async () => [...projects],
    async create(name) {
      const project = { id: `proj_${projects.length + 1}`, name, isArchived: false };
      projects.push(project);
      return project;
    },
  };
}

const auditLines = () =>
  admin.store.read({
    sql: 'select * from audit_log order by action',
    values: [],
    map: (rows) =>
      rows
        .filter((row) => text(row, 'action').startsWith('project.'))
        .map((row) => [row.action, row.subject, row.before_value, row.after_value]),
  });

test('a platform whose projects cannot be listed is bound by hand', async () => {
  const line = { app: 'search', platform: 'hosted', project: 'prod-acme-core-search' };
  const expected = [
    {
      ...line,
      projectId: null,
      state: 'by-hand',
      note: expect.stringContaining('npx model-gateway projects bind search hosted ID'),
    },
  ];
  expect(await planProjects(admin, [platformOf(undefined)])).toEqual(expected);
  expect(await applyProjects(admin, [platformOf(undefined)])).toEqual(expected);
});

test('a platform that bills without projects is not in the plan', async () => {
  const platform = platformOf(undefined, { needsProject: false });
  expect(await planProjects(admin, [platform])).toEqual([]);
});

test('a binding to a project that the platform does not list is reported', async () => {
  const projects: Project[] = [];
  const platforms = [platformOf(sourceOf(projects))];
  await applyProjects(admin, platforms);
  projects.length = 0;
  expect(await planProjects(admin, platforms)).toMatchObject([
    { state: 'bound', projectId: 'proj_1', note: 'hosted does not list this project' },
  ]);
});

test('every creation, binding and unbinding is a line of the audit log', async () => {
  await applyProjects(admin, [platformOf(sourceOf())]);
  await applyProjects(admin, [platformOf(sourceOf())]);
  await deleteBindings(admin);
  expect(await auditLines()).toEqual([
    ['project.bind', 'search on hosted', null, 'proj_1'],
    ['project.create', 'prod-acme-core-search on hosted', null, 'proj_1'],
    ['project.forget', 'search on hosted', 'proj_1', null],
  ]);
});

describe('a lease', () => {
  const work = async () => 'done';

  test('ends with its work, also when that fails', async () => {
    await expect(withLease(admin, 'a', () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    const startedMs = clock.now();
    expect(await withLease(admin, 'a', work)).toBe('done');
    expect(clock.now()).toBe(startedMs);
  });

  test('of other work blocks nobody', async () => {
    expect(await withLease(admin, 'a', () => withLease(admin, 'b', work))).toBe('done');
  });

  test('that lasts for a minute is an error with an instruction', async () => {
    const second = withLease(admin, 'a', () => withLease(admin, 'a', work));
    await expect(second).rejects.toThrow(/^another process has held the lease a for 1 minute; /);
  });

  test('of a process that died is taken over after its expiry', async () => {
    const never = new Promise<string>(() => {});
    const first = withLease(admin, 'a', () => never);
    // The dead one never ends: the test only waits until it has its lease.
    await Promise.race([first, withLease(admin, 'b', work)]);
    clock.pass(300_000);
    expect(await withLease(admin, 'a', work)).toBe('done');
  });
});
