import type { ModelRequest } from '../model/model-request.ts';
import type { AttemptOptions, AttemptOutcome, ModelPort } from '../model/port.ts';

export type ProbeResult =
  /** The platform rejects it, so calls are billed to the project they name. */
  | { readonly kind: 'verified' }
  /** The platform accepts it and bills the project that all apps share. */
  | { readonly kind: 'ignored'; readonly why: string }
  | { readonly kind: 'unverified'; readonly why: string };

export const noProjectId = 'proj_modelgatewayprobethatmustnotexist';

const request: ModelRequest = {
  messages: [{ role: 'user', content: 'Say hello.' }],
  maxTokens: 16,
};

const modelsMax = 5;

/**
 * Names a nonexistent project. The rejection precedes any model run, so it is free. Source:
 * platforms, 1.3.
 */
export async function probe(
  models: readonly ModelPort[],
  options: AttemptOptions,
): Promise<ProbeResult> {
  let result: ProbeResult = { kind: 'unverified', why: 'the platform offers none of its models' };
  for (const model of models.slice(0, modelsMax)) {
    const outcome = await model.attempt(request, { ...options, projectId: noProjectId });
    result = resultOf(outcome);
    if (result.kind !== 'unverified' || !isOfModel(outcome)) return result;
  }
  return result;
}

function resultOf(outcome: AttemptOutcome): ProbeResult {
  if (outcome.kind === 'answered') return { kind: 'ignored', why: ignored };
  const { status, detail, sentence = '' } = outcome;
  // Even an unreadable response came from a model.
  if (status !== undefined && status < 300) return { kind: 'ignored', why: ignored };
  // A wrong path and an unknown model are 404 too: only the message distinguishes them.
  const isOfProject = /\bnot_found/.test(detail) && /\bproject\b/i.test(sentence);
  if (status === 404 && isOfProject) return { kind: 'verified' };
  return { kind: 'unverified', why: detail };
}

const ignored = 'it answered a call for a project that does not exist';

function isOfModel(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'failed' && [400, 403, 404].includes(outcome.status ?? 0);
}
