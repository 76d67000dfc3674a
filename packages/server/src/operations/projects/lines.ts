import { tableLines } from '../description/text-lines.ts';
import type { AppliedProject } from '../documents/projects.ts';
import type { ProjectBinding } from './bindings.ts';

export function forgottenLines(forgotten: readonly ProjectBinding[]): readonly string[] {
  if (forgotten.length === 0) return ['There was no binding.'];
  return [
    ...bindingLines(forgotten),
    '',
    'The platforms keep every project. Calls that need one are refused until "projects apply"',
    'binds them again; a running service binds its simulators by itself.',
  ];
}

export function bindingLines(bindings: readonly ProjectBinding[]): readonly string[] {
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

export function projectLines(projects: readonly AppliedProject[]): readonly string[] {
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
