import { createSimulator, type Simulator, type SimulatorOptions } from '../src/index.ts';
import { isRecord } from '../src/lib/wire.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** A simulator with a project, and shortcuts to call it. */
export interface OpenSimulator {
  readonly simulator: Simulator;
  readonly clock: VirtualClock;
  readonly projectId: string;
  /** Sends a chat completion, billed to the project. */
  chat(body: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Response>;
  /** Sends an Anthropic message, billed to the project by default. */
  message(
    body: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  send(method: string, path: string, body?: unknown): Promise<Response>;
}

/** Differences from an ordinary call. */
export interface CallOptions {
  readonly path?: string;
  readonly projectId?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Opens a simulator on a virtual clock. */
export function open(options: Partial<SimulatorOptions> = {}): OpenSimulator {
  const clock = createVirtualClock();
  const simulator = createSimulator({ clock, ...options });
  const project = simulator.createProject('prod-acme-core-search');
  return {
    simulator,
    clock,
    projectId: project.id,
    chat(body, { path = '/v1/chat/completions', signal, ...more } = {}) {
      const projectId = 'projectId' in more ? more.projectId : project.id;
      const headers = new Headers({ 'content-type': 'application/json' });
      if (projectId !== undefined) headers.set('OpenAI-Project', projectId);
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const url = `http://simulator.test${path}`;
      return simulator.fetch(new Request(url, signal === undefined ? init : { ...init, signal }));
    },
    message(body, own) {
      const billed = { 'anthropic-version': '2023-06-01', 'anthropic-workspace-id': project.id };
      const init = { method: 'POST', headers: own ?? billed, body: JSON.stringify(body) };
      return simulator.fetch(new Request('http://simulator.test/anthropic/v1/messages', init));
    },
    send(method, path, body) {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
      return simulator.fetch(new Request(`http://simulator.test${path}`, init));
    },
  };
}

/** A chat body with one user message. */
export function asking(model: string, text = 'What is a gateway?') {
  return { model, messages: [{ role: 'user', content: text }], max_tokens: 500 };
}

/** The value at a path of a JSON value, undefined where the path ends early. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (Array.isArray(current)) current = current[Number(key)];
    else current = isRecord(current) ? current[key] : undefined;
  }
  return current;
}

/** The parts of a chat completion that tests read. */
export async function answerOf(response: Response) {
  const body: unknown = await response.json();
  const text = at(body, 'choices', 0, 'message', 'content');
  return {
    status: response.status,
    text: typeof text === 'string' ? text : undefined,
    finish: at(body, 'choices', 0, 'finish_reason'),
    toolName: at(body, 'choices', 0, 'message', 'tool_calls', 0, 'function', 'name'),
    toolInput: String(at(body, 'choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments')),
    toolCallId: at(body, 'choices', 0, 'message', 'tool_calls', 0, 'id'),
    usage: at(body, 'usage'),
    errorCode: at(body, 'error', 'code'),
    errorMessage: String(at(body, 'error', 'message')),
    body,
  };
}
