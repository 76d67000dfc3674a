import type { ApiKey, App } from '../domain/registered-app.ts';

/** The app itself for a key without fewer models. */
export type NarrowApp = (key: ApiKey, app: App) => App;

/** Narrows once, at a key's first call: a change makes other objects of both. */
export function createNarrowApp(): NarrowApp {
  const known = new WeakMap<App, WeakMap<ApiKey, App>>();
  return (key, app) => {
    if (key.models === undefined) return app;
    const ofApp = known.get(app) ?? new WeakMap<ApiKey, App>();
    known.set(app, ofApp);
    const narrow = ofApp.get(key) ?? narrowed(key.models, app);
    ofApp.set(key, narrow);
    return narrow;
  };
}

function narrowed(models: ReadonlySet<string>, app: App): App {
  const both = [...models].filter((model) => app.models?.has(model) ?? true);
  return { ...app, models: new Set(both) };
}
