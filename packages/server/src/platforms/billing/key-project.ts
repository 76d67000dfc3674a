import { isFailure, type Send } from '../http/transport.ts';

export type FindKeyProject = (signal: AbortSignal) => Promise<string | undefined>;

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** Sends the questions in order until a response has the header. None is billed. */
export function createFindKeyProject(parts: {
  readonly send: Send;
  readonly header: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly questions: readonly Question[];
}): FindKeyProject {
  const { send, header, questions } = parts;
  const headers = { accept: 'application/json', 'user-agent': 'model-gateway', ...parts.headers };
  return async (signal) => {
    for (const { method, path, body = '' } of questions) {
      const type: Record<string, string> =
        body === '' ? {} : { 'content-type': 'application/json' };
      const answer = await send({ method, path, headers: { ...headers, ...type }, body, signal });
      const named = isFailure(answer) ? undefined : answer.headers[header]?.trim();
      if (named) return named;
    }
    return undefined;
  };
}
