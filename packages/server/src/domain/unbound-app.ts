export interface UnboundApp {
  readonly app: string;
  readonly platform: string;
}

export function unboundSentence({ app, platform }: UnboundApp): string {
  return `the app ${app} has no project on ${platform}, so its calls to models there are rejected; run "model-gateway projects apply" to create one, or ${bindCommand(app, platform)} for an existing one`;
}

export function bindCommand(app: string, platform: string): string {
  return `"model-gateway projects bind ${app} ${platform} ID"`;
}
