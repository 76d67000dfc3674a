import Type from 'typebox';
import { ProjectBinding } from '../apps/documents.ts';
import type { Changed } from '../change-shapes.ts';
import { type Document, nullable } from '../shapes.ts';

const open = ['bound', 'adopt', 'create', 'archived', 'ambiguous', 'shared'] as const;
const planned = [...open, 'by-hand', 'unknown'] as const;

const place = {
  app: Type.String(),
  platform: Type.String(),
  /** Its name. */
  project: Type.String(),
  /** Null where there is none yet, or none that could be used. */
  projectId: nullable(Type.String()),
  /** A sentence: a fact to know, or an action; null where everything is in order. */
  note: nullable(Type.String()),
} as const;

/** How an app stands with a platform that bills by project. */
export const PlannedProject = Type.Object({
  ...place,
  /**
   * `adopt`: the platform has an active project of that name; `create`: it has none; `archived`:
   * the project takes no calls; `ambiguous`: several have that name; `shared`: it is another app's
   * too, or shared; `by-hand`: the platform cannot be asked for its projects; `unknown`: it did not
   * answer.
   */
  state: Type.Enum([...planned]),
});
export type PlannedProject = Document<typeof PlannedProject>;

/** `POST /projects/plan`: each app with each platform that bills by project. */
export const ProjectsPlan = Type.Object({ items: Type.Array(PlannedProject) });

/** The result of one line of the plan; of a dry run the line. */
export const AppliedProject = Type.Object({
  ...place,
  /** As in the plan; `failed`: the note has the reason, and another apply may do it. */
  state: Type.Enum([...planned, 'adopted', 'created', 'failed']),
});
export type AppliedProject = Document<typeof AppliedProject>;
export const AppliedProjects = Type.Array(AppliedProject);

/** What `projects destroy` prints. */
export const ForgottenProjects = Type.Object({ forgotten: Type.Array(ProjectBinding) });

/** The binding that holds now. */
export type ProjectBound = Changed<typeof ProjectBinding>;
