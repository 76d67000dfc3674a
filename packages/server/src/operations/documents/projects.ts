import Type from 'typebox';
import { ProjectBinding } from './apps.ts';
import { type Changed, type Document, nullable } from './shapes.ts';

const open = ['bound', 'adopt', 'create', 'archived', 'ambiguous', 'shared'] as const;
const planned = [...open, 'by-hand', 'unknown'] as const;

const projectFields = {
  app: Type.String(),
  platform: Type.String(),
  project: Type.String(),
  /** Null where none exists or can be used. */
  projectId: nullable(Type.String()),
  /** A fact or an action; null where all is in order. */
  note: nullable(Type.String()),
} as const;

export const PlannedProject = Type.Object({
  ...projectFields,
  /**
   * `adopt`: an active project has the name; `create`: none has; `archived`: it takes no calls;
   * `ambiguous`: several have it; `shared`: not only this app's; `by-hand`: the platform cannot
   * list projects; `unknown`: no answer.
   */
  state: Type.Enum([...planned]),
});
export type PlannedProject = Document<typeof PlannedProject>;

export const ProjectsPlan = Type.Object({ items: Type.Array(PlannedProject) });

export const AppliedProject = Type.Object({
  ...projectFields,
  /** As planned; `failed`: the note has the reason, and another apply may succeed. */
  state: Type.Enum([...planned, 'adopted', 'created', 'failed']),
});
export type AppliedProject = Document<typeof AppliedProject>;
export const AppliedProjects = Type.Array(AppliedProject);

export const DeletedBindings = Type.Object({ forgotten: Type.Array(ProjectBinding) });

export type ProjectBound = Changed<typeof ProjectBinding>;
