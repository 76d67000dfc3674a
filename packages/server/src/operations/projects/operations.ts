import { factsOf } from '../../domain/platform-kinds/platform-kinds.ts';
import { projectIdProblem } from '../../domain/project-id.ts';
import { appRow } from '../apps/apps.ts';
import { AdminError, unknownPlatform } from '../context/admin-error.ts';
import { app, argument, asOption, line, text } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { tableLines } from '../description/text-lines.ts';
import type { AppliedProject } from '../documents/projects.ts';
import { bindProject, forgetBindings, listBindings, type ProjectBinding } from './bindings.ts';
import { applyProjects } from './project-apply.ts';
import { planProjects } from './project-plan.ts';

const plan = operation({
  name: 'projects plan',
  about: 'show what apply would do; changes nothing',
  http: ['POST /projects/plan'],
  needs: ['withBillingPlatforms'],
  result: async () => (await import('../documents/projects.ts')).ProjectsPlan,
  run: async ({ admin, withBillingPlatforms }) => ({
    items: await withBillingPlatforms((platforms) => planProjects(admin, platforms)),
  }),
  failure({ items }) {
    const unknown = namesOf(items, ['unknown']);
    return unknown === '' ? undefined : `the projects of ${unknown} are not known`;
  },
  commands: [{ document: ({ items }) => items }],
  lines: ({ items }) => projectLines(items),
});

const apply = operation({
  name: 'projects apply',
  about: 'create the projects that are missing, and bind them',
  kind: 'change',
  http: ['POST /projects/apply'],
  needs: ['withBillingPlatforms'],
  result: async () => (await import('../documents/projects.ts')).AppliedProjects,
  run: ({ admin, withBillingPlatforms }) =>
    withBillingPlatforms((platforms) => applyProjects(admin, platforms)),
  plan: async ({ admin, withBillingPlatforms }) => ({
    changes: [],
    result: await withBillingPlatforms((platforms) => planProjects(admin, platforms)),
  }),
  failure(applied) {
    // What is to be bound by hand was never its to do.
    const left = namesOf(applied, ['archived', 'ambiguous', 'shared', 'failed']);
    return left === ''
      ? undefined
      : `not done: ${left}; the rest is, and "projects apply" may be repeated when the cause is gone`;
  },
  lines: projectLines,
});

function namesOf(
  projects: readonly AppliedProject[],
  states: readonly AppliedProject['state'][],
): string {
  return projects
    .filter(({ state }) => states.includes(state))
    .map((one) => `${one.app} on ${one.platform}`)
    .join(', ');
}

const bind = operation({
  name: 'projects bind',
  about: 'bill an app to an existing project of the platform',
  kind: 'change',
  http: ['POST /projects/bindings'],
  apps: { named: 'body' },
  needs: ['platformFacts'],
  input: {
    app: argument(app('the app')),
    platform: argument(text('a platform of the configuration', 'name')),
    projectId: argument(asOption('id', line(256, 'the id that the platform gave it', 'id'))),
  },
  example: { app: 'search', platform: 'sandbox', projectId: 'proj_1' },
  result: async () => (await import('../documents/apps.ts')).ProjectBinding,
  async run({ admin, platformFacts }, binding) {
    await appRow(admin, binding.app);
    const platform = platformFacts.find(({ name }) => name === binding.platform);
    if (platform === undefined) {
      const names = platformFacts.map(({ name }) => name);
      throw unknownPlatform(binding.platform, names, { isUnknown: true });
    }
    const { name, kind } = platform;
    if (factsOf(kind).projects === 'none') {
      throw new AdminError(
        `the platform ${name} has no projects: its kind is ${kind}, and its calls need none`,
      );
    }
    const problem = projectIdProblem(kind, binding.projectId);
    if (problem !== undefined) {
      throw new AdminError(problem, { isBadValue: true, field: 'projectId' });
    }
    await bindProject(admin, binding);
    return binding;
  },
  warnings: async ({ platformFacts }, { platform }) =>
    platformFacts
      .filter(({ name, kind }) => name === platform && factsOf(kind).projects === 'own')
      .map(({ name }) => {
        return `a running service binds its own projects on the simulator ${name}, and will do so again`;
      }),
  lines: ({ app: ofApp, platform, projectId }) => [
    `Calls of ${ofApp} on ${platform} are billed to the project ${projectId}.`,
  ],
});

const destroy = operation({
  name: 'projects destroy',
  about: 'forget every binding; the platforms keep the projects',
  kind: 'change',
  result: async () => (await import('../documents/projects.ts')).ForgottenProjects,
  plan: async ({ admin }) => ({ changes: [], result: { forgotten: await listBindings(admin) } }),
  danger: {
    subject: () => undefined,
    intent: ({ forgotten }) =>
      forgotten.length === 0
        ? []
        : [
            'This forgets which projects are billed, and calls that need one are refused from then on:',
            ...bindingLines(forgotten),
          ],
  },
  run: async ({ admin }) => ({ forgotten: await forgetBindings(admin) }),
  lines: ({ forgotten }) => forgottenLines(forgotten),
});

export const projects: readonly Operation[] = [plan, apply, bind, destroy];

function forgottenLines(forgotten: readonly ProjectBinding[]): readonly string[] {
  if (forgotten.length === 0) return ['There was no binding.'];
  return [
    ...bindingLines(forgotten),
    '',
    'The platforms keep every project. Calls that need one are refused until "projects apply"',
    'binds them again; a running service binds its simulators by itself.',
  ];
}

function bindingLines(bindings: readonly ProjectBinding[]): readonly string[] {
  const rows = bindings.map(({ app, platform, projectId }) => [app, platform, projectId]);
  return tableLines(['app', 'platform', 'forgotten id'], rows, '');
}

const words: Record<AppliedProject['state'], string> = {
  bound: 'bound',
  adopt: 'to adopt',
  create: 'to create',
  adopted: 'adopted',
  created: 'created',
  archived: 'ARCHIVED',
  ambiguous: 'AMBIGUOUS',
  shared: 'SHARED',
  'by-hand': 'bind by hand',
  unknown: 'UNKNOWN',
  failed: 'FAILED',
};

function projectLines(projects: readonly AppliedProject[]): readonly string[] {
  return [
    ...tableLines(
      ['app', 'platform', 'project', 'state', 'id'],
      projects.map(({ app, platform, project, state, projectId }) => [
        app,
        platform,
        project,
        words[state],
        projectId ?? '-',
      ]),
      'No app is on a platform that bills by project.',
    ),
    ...noteLines(projects),
  ];
}

function noteLines(projects: readonly AppliedProject[]): readonly string[] {
  const notes = projects.flatMap(({ app, platform, note }) =>
    note === null ? [] : [[app, platform, note]],
  );
  return notes.length === 0 ? [] : ['', ...tableLines(['app', 'platform', 'note'], notes, '')];
}
