/** An app without a billing project on a platform that serves one of its models. */
export interface UnboundApp {
  readonly app: string;
  readonly platform: string;
}

/** The effect and the commands that end it, for operators. */
export function unboundSentence({ app, platform }: UnboundApp): string {
  return `the app ${app} has no project on ${platform}, so its calls of models there are rejected: run "model-gateway projects apply" to create one, or ${bindCommand(app, platform)} for an existing one`;
}

/** The command that bills an app to an existing project, in quotes. */
export function bindCommand(app: string, platform: string): string {
  return `"model-gateway projects bind ${app} ${platform} ID"`;
}
