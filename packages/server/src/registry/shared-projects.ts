import { isDefaultProject } from '../domain/project-id.ts';
import { listedNames } from '../lib/nearest.ts';
import type { ProjectBinding } from '../store/queries/registry.ts';

/** A binding that may not be used: its project is another app's as well, or shared. */
export interface SharedBinding extends ProjectBinding {
  /** The other apps that have it; empty for a platform's default. */
  readonly others: readonly string[];
}

/** The bindings that share a project. An id is of one app, on whichever platform it is bound. */
export function sharedBindings(bindings: readonly ProjectBinding[]): readonly SharedBinding[] {
  const byId = Map.groupBy(bindings, ({ projectId }) => projectId);
  return bindings.flatMap((binding) => {
    const { app, projectId } = binding;
    const having = new Set(byId.get(projectId)?.map((other) => other.app));
    having.delete(app);
    if (having.size === 0 && !isDefaultProject(projectId)) return [];
    return [{ ...binding, others: [...having] }];
  });
}

/** What is wrong with a shared binding and what ends it, for operators. */
export function sharedSentence({ app, platform, projectId, others }: SharedBinding): string {
  const whose =
    others.length === 0
      ? "the platform's default"
      : `the project of ${listedNames(others)} as well`;
  return `app ${app} is bound to ${projectId} on ${platform}, which is ${whose}: no call is made until it has one of its own: "model-gateway projects bind ${app} ${platform} ID"`;
}
