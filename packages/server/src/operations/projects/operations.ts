import { factsOf } from '../../domain/platform-kinds/platform-kinds.ts';
import { projectIdProblem } from '../../domain/project-id.ts';
import { appRow } from '../apps/apps.ts';
import { AdminError, unknownPlatform } from '../context/admin-error.ts';
import { app, argument, asOption, line, text } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { tableLines } from '../description/text-lines.ts';
import type { AppliedProject } from '../documents/projects.ts';
import { bindProject, deleteBindings, listBindings, type ProjectBinding } from './bindings.ts';
import { applyProjects } from './project-apply.ts';
import { planProjects } from './project-plan.ts';

const plan = operation({
  name: 'projects plan',
  about: 'preview "projects apply"; change nothing',
  http: ['POST /projects/plan'],
  needs: ['withBillingPlatforms'],
  result: async () => (await import('../documents/projects.ts')).ProjectsPlan,
  run: async ({ admin, withBillingPlatforms }) => ({
    items: await withBillingPlatforms((platforms) => planProjects(admin, platforms)),
  }),
  failure({ items }) {
    const unknown = namesOf(items, ['unknown']);
    return unknown === '' ? undefined : `could not read the projects of ${unknown}`;
  },
  commands: [{ document: ({ items }) => items }],
  lines: ({ items }) => projectLines(items),
});

const apply = operation({
  name: 'projects apply',
  about: 'create missing platform projects and bind each to its app',
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
    // Projects in state `by-hand` are not failures: apply never handles them.
    const incomplete = namesOf(applied, ['archived', 'ambiguous', 'shared', 'failed']);
    return incomplete === ''
      ? undefined
      : `failed: ${incomplete}. The rest was applied. Fix the cause and run "projects apply" again`;
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
    app: argument(app('app')),
    platform: argument(text('platform of the configuration', 'name')),
    projectId: argument(asOption('id', line(256, 'project id from the platform', 'id'))),
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
        `the platform ${name} (kind ${kind}) has no projects, and its calls need none`,
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
        return `a running service manages the projects of the simulator ${name} and will overwrite this binding`;
      }),
  lines: ({ app: ofApp, platform, projectId }) => [
    `Calls of ${ofApp} on ${platform} are billed to the project ${projectId}.`,
  ],
});

const destroy = operation({
  name: 'projects destroy',
  about: 'delete all bindings; the platforms keep the projects',
  kind: 'change',
  result: async () => (await import('../documents/projects.ts')).DeletedBindings,
  plan: async ({ admin }) => ({ changes: [], result: { forgotten: await listBindings(admin) } }),
  danger: {
    subject: () => undefined,
    intent: ({ forgotten }) =>
      forgotten.length === 0
        ? []
        : [
            'All project bindings will be deleted. Calls that need a project will be rejected:',
            ...bindingLines(forgotten),
          ],
  },
  run: async ({ admin }) => ({ forgotten: await deleteBindings(admin) }),
  lines: ({ forgotten }) => deletedLines(forgotten),
});

export const projects: readonly Operation[] = [plan, apply, bind, destroy];

function deletedLines(deleted: readonly ProjectBinding[]): readonly string[] {
  if (deleted.length === 0) return ['No bindings.'];
  return [
    ...bindingLines(deleted),
    '',
    'The platforms keep all projects. Calls that need one are rejected until you run "projects apply".',
    'A running service automatically binds apps to their projects on simulators again.',
  ];
}

function bindingLines(bindings: readonly ProjectBinding[]): readonly string[] {
  const rows = bindings.map(({ app, platform, projectId }) => [app, platform, projectId]);
  return tableLines(['app', 'platform', 'deleted id'], rows, '');
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
      'No app uses a platform that bills by project.',
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
