import Type from 'typebox';
import { ProjectBinding } from './apps.ts';
import { type Changed, type Document, nullable } from './shapes.ts';

const open = ['bound', 'adopt', 'create', 'archived', 'ambiguous', 'shared'] as const;
const planned = [...open, 'by-hand', 'unknown'] as const;

const projectFields = {
  app: Type.String(),
  platform: Type.String(),
  project: Type.String(),
  /** Null without a usable project. */
  projectId: nullable(Type.String()),
  /** A fact or an action; null if healthy. */
  note: nullable(Type.String()),
} as const;

export const PlannedProject = Type.Object({
  ...projectFields,
  /**
   * `adopt`: one active project has the name; `create`: no project has it; `archived`: the project
   * accepts no calls; `ambiguous`: several projects have it. `shared`: other apps use it too;
   * `by-hand`: the platform cannot list projects; `unknown`: no response.
   */
  state: Type.Enum([...planned]),
});
export type PlannedProject = Document<typeof PlannedProject>;

export const ProjectsPlan = Type.Object({ items: Type.Array(PlannedProject) });

export const AppliedProject = Type.Object({
  ...projectFields,
  /** As planned. `failed`: the note has the reason, and applying again may succeed. */
  state: Type.Enum([...planned, 'adopted', 'created', 'failed']),
});
export type AppliedProject = Document<typeof AppliedProject>;
export const AppliedProjects = Type.Array(AppliedProject);

export const DeletedBindings = Type.Object({ forgotten: Type.Array(ProjectBinding) });

export type ProjectBound = Changed<typeof ProjectBinding>;
