import Type from 'typebox';
import { ProjectBinding } from '../apps/documents.ts';
import type { Changed } from '../change-shapes.ts';
import type { Document } from '../shapes.ts';

const planned = [
  ...(['bound', 'adopt', 'create', 'archived', 'ambiguous', 'shared'] as const),
  ...(['by-hand', 'unknown'] as const),
] as const;

const place = {
  app: Type.String(),
  platform: Type.String(),
  project: Type.String({ description: 'Its name' }),
  projectId: Type.Union([Type.String(), Type.Null()], {
    description: 'Null where there is none yet, or none that could be used',
  }),
  note: Type.Union([Type.String(), Type.Null()], {
    description: 'A sentence: a fact to know, or an action; null where everything is in order',
  }),
} as const;

/** How an app stands with a platform that bills by project. */
export const PlannedProject = Type.Object({
  ...place,
  state: Type.Enum([...planned], {
    description:
      "`adopt`: the platform has an active project of that name; `create`: it has none; `archived`: the project takes no calls; `ambiguous`: several have that name; `shared`: it is another app's too, or shared; `by-hand`: the platform cannot be asked for its projects; `unknown`: it did not answer",
  }),
});
export type PlannedProject = Document<typeof PlannedProject>;

/** `POST /projects/plan`: each app with each platform that bills by project. */
export const ProjectsPlan = Type.Object({ items: Type.Array(PlannedProject) });

/** The result of one line of the plan; of a dry run the line. */
export const AppliedProject = Type.Object({
  ...place,
  state: Type.Enum([...planned, 'adopted', 'created', 'failed'], {
    description: 'As in the plan; `failed`: the note has the reason, and another apply may do it',
  }),
});
export type AppliedProject = Document<typeof AppliedProject>;
export const AppliedProjects = Type.Array(AppliedProject);

/** What `projects destroy` prints. */
export const ForgottenProjects = Type.Object({ forgotten: Type.Array(ProjectBinding) });

/** The binding that holds now. */
export type ProjectBound = Changed<typeof ProjectBinding>;
