import Type from 'typebox';
import { ProjectBinding } from '../apps/documents.ts';
import { changed, changing, line } from '../change-shapes.ts';
import { type Document, nullable } from '../shapes.ts';

const place = {
  app: Type.String(),
  platform: Type.String(),
  project: Type.String(),
  projectId: nullable(Type.String()),
} as const;

/** `POST /projects/plan`: how each app stands with each platform that bills by project. */
export const ProjectsPlan = Type.Object({
  items: Type.Array(
    Type.Object({
      ...place,
      state: Type.Enum([
        'bound',
        'adopt',
        'create',
        'archived',
        'ambiguous',
        'shared',
        'by-hand',
        'unknown',
      ]),
      note: nullable(Type.String()),
    }),
  ),
});
export type ProjectsPlan = Document<typeof ProjectsPlan>;

/** The body of `POST /projects/plan`. */
export const ProjectsAsked = Type.Object({}, { additionalProperties: false });
export type ProjectsAsked = Document<typeof ProjectsAsked>;

/** `POST /projects/apply`. */
export const ProjectsApplying = changing({});
export type ProjectsApplying = Document<typeof ProjectsApplying>;

/** What came of each line of the plan; of a dry run the plan itself. */
export const ProjectsApplied = changed(
  Type.Array(
    Type.Object({
      ...place,
      state: Type.Enum([
        'bound',
        'adopt',
        'adopted',
        'create',
        'created',
        'archived',
        'ambiguous',
        'shared',
        'by-hand',
        'unknown',
        'failed',
      ]),
      note: nullable(Type.String()),
    }),
  ),
);
export type ProjectsApplied = Document<typeof ProjectsApplied>;

/** `POST /projects/bindings`. */
export const BindingAsked = changing({
  app: Type.String(),
  platform: Type.String(),
  projectId: line(256, 'The id that the platform gave it'),
});
export type BindingAsked = Document<typeof BindingAsked>;

/** The binding that holds now. */
export const ProjectBound = changed(ProjectBinding);
export type ProjectBound = Document<typeof ProjectBound>;
