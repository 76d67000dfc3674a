import { isDefaultProject } from '../domain/project-id.ts';
import { listedNames } from '../lib/nearest.ts';
import type { ProjectBinding } from '../store/queries/registry.ts';

/** Its project also belongs to another app, or is a platform's default. */
export interface SharedBinding extends ProjectBinding {
  readonly others: readonly string[];
}

/** A project id belongs to one app, whichever platform it is bound on. */
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

export function sharedSentence({ app, platform, projectId, others }: SharedBinding): string {
  const owner =
    others.length === 0 ? "the platform's default" : `also the project of ${listedNames(others)}`;
  return `app ${app} is bound to ${projectId} on ${platform}, which is ${owner}; its calls are rejected until it has its own project: "model-gateway projects bind ${app} ${platform} ID"`;
}
