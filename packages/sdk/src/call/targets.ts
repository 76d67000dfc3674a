/** The request target of a client's method. */
export interface Target {
  /** The method's name, for the messages of TypeErrors. */
  readonly owner: string;
  /** Below the base URL, with its leading slash. */
  readonly path: string;
}

/** The API's routes, by the client's methods. */
const paths = {
  chat: '/chat',
  object: '/objects',
  agent: '/agents/run',
  embed: '/embeddings',
  chatStream: '/chat/stream',
  objectStream: '/objects/stream',
  agentStream: '/agents/stream',
  runAgent: '/agents/run',
  quote: '/quote',
  usage: '/usage',
  models: '/models',
  credits: '/credits/',
  createRun: '/runs',
  getRun: '/runs/',
  endRun: '/runs/',
} as const;

/** A method that calls the API. */
export type Owner = keyof typeof paths;

export function targetOf(owner: Owner): Target {
  return { owner, path: paths[owner] };
}
