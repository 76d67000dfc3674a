import {
  BindingAsked,
  ProjectBound,
  ProjectsApplied,
  ProjectsApplying,
  ProjectsAsked,
  ProjectsPlan,
} from '../../operations/documents.ts';
import { type AppliedProject, applyProjects } from '../../operations/projects/project-apply.ts';
import { type PlannedProject, planProjects } from '../../operations/projects/project-plan.ts';
import { bindExistingProject } from '../../operations/projects/projects.ts';
import { type AnyRoute, route } from '../route.ts';
import { answerChange, ofField } from './change.ts';

type ProjectLines = readonly (PlannedProject | AppliedProject)[];

/** What operators do with projects. */
export const operatorChanges: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/v1/projects/plan',
    action: 'operate',
    apps: 'all',
    summary: 'Says what applying would do with the projects of apps, and changes nothing',
    body: ProjectsAsked,
    answer: ProjectsPlan,
    async handle({ admin, platforms }) {
      return { body: { items: await planProjects(admin, platforms) } };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/v1/projects/apply',
    action: 'operate',
    apps: 'all',
    summary: 'Makes the projects that are missing, adopts those that are there, and binds the apps',
    body: ProjectsApplying,
    answer: ProjectsApplied,
    async handle({ body, platforms, ...asked }) {
      const answer = await answerChange<ProjectLines>(asked, body, {
        plan: async (admin) => ({ changes: [], result: await planProjects(admin, platforms) }),
        make: (admin) => applyProjects(admin, platforms),
      });
      return { body: answer };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/v1/projects/bindings',
    action: 'operate',
    apps: { named: 'body' },
    summary: 'Bills an app to a project that is there',
    body: BindingAsked,
    answer: ProjectBound,
    async handle({ body, config, ...asked }) {
      const { app, platform, projectId } = body;
      const binding = { app, platform, projectId };
      const answer = await answerChange(asked, body, {
        async make(admin) {
          await ofField('projectId', bindExistingProject(admin, config.platforms, binding));
          return binding;
        },
      });
      return { body: answer };
    },
  }),
];
