/** What one method of the client asks for. */
export interface Target {
  /** The method's name, for the messages of TypeErrors. */
  readonly owner: string;
  /** Below the base URL, with its leading slash. */
  readonly path: string;
}

/** The API's routes, by the methods that ask for them. */
export const targets = {
  chat: { owner: 'chat', path: '/chat' },
  object: { owner: 'object', path: '/objects' },
  agent: { owner: 'agent', path: '/agents/run' },
  chatStream: { owner: 'chatStream', path: '/chat/stream' },
  objectStream: { owner: 'objectStream', path: '/objects/stream' },
  agentStream: { owner: 'agentStream', path: '/agents/stream' },
  runAgent: { owner: 'runAgent', path: '/agents/run' },
  usage: { owner: 'usage', path: '/usage' },
  models: { owner: 'models', path: '/models' },
  credits: { owner: 'credits', path: '/credits/' },
} as const satisfies Readonly<Record<string, Target>>;
