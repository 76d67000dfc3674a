import type { App } from '../domain/registered-app.ts';
import type { ProjectBinding } from '../store/queries/registry.ts';
import { sharedBindings, sharedSentence } from './shared-projects.ts';

export interface BoundProjects {
  /** Forgets all bindings of some apps first; returns the apps whose projects may change. */
  change(forgotten: Iterable<string>, bindings: readonly ProjectBinding[]): ReadonlySet<string>;
  of(app: string): Pick<App, 'projectIds' | 'sharedProjects'>;
}

export function createBoundProjects(): BoundProjects {
  /** By app, then platform. */
  const bound = new Map<string, Map<string, ProjectBinding>>();
  /** By project id. */
  const appsOf = new Map<string, Set<string>>();
  return {
    change(forgotten, bindings) {
      const projects = new Set<string>();
      const apps = new Set<string>(forgotten);
      for (const app of apps) {
        for (const binding of bound.get(app)?.values() ?? []) projects.add(binding.projectId);
      }
      for (const app of apps) forget(app);
      for (const binding of bindings) {
        const { app, platform, projectId } = binding;
        const before = bound.get(app)?.get(platform)?.projectId;
        if (before !== undefined) projects.add(before);
        projects.add(projectId);
        apps.add(app);
        bind(binding);
      }
      for (const id of projects) for (const app of appsOf.get(id) ?? []) apps.add(app);
      return apps;
    },
    of(app) {
      const own = [...(bound.get(app)?.values() ?? [])];
      const alike = new Set(own.flatMap(({ projectId }) => [...(appsOf.get(projectId) ?? [])]));
      const others = [...alike].sort().flatMap((name) => [...(bound.get(name)?.values() ?? [])]);
      const shared = sharedBindings(others).filter((binding) => binding.app === app);
      const sharedProjects = new Map(
        shared.map((binding) => [binding.platform, sharedSentence(binding)]),
      );
      const usable = own.filter(({ platform }) => !sharedProjects.has(platform));
      const projectIds = new Map(usable.map(({ platform, projectId }) => [platform, projectId]));
      return { projectIds, sharedProjects };
    },
  };

  function bind(binding: ProjectBinding): void {
    const { app, platform } = binding;
    const bindings = [...(bound.get(app)?.values() ?? [])];
    const others = bindings.filter((other) => other.platform !== platform);
    forget(app);
    bound.set(app, new Map([...others, binding].map((each) => [each.platform, each])));
    for (const { projectId } of [...others, binding]) {
      const apps = appsOf.get(projectId) ?? new Set();
      appsOf.set(projectId, apps.add(app));
    }
  }

  function forget(app: string): void {
    for (const { projectId } of bound.get(app)?.values() ?? []) {
      const apps = appsOf.get(projectId);
      apps?.delete(app);
      if (apps?.size === 0) appsOf.delete(projectId);
    }
    bound.delete(app);
  }
}
