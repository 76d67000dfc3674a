import type { ModelRequest } from '../model/model-request.ts';
import type { AttemptOptions, AttemptOutcome, ModelPort } from '../model/port.ts';

/** What a surface does with a project that does not exist. */
export type ProbeResult =
  /** It refuses the call: the project that a call names is the one that it is billed to. */
  | { readonly kind: 'verified' }
  /** It answers the call, and bills it to the project that all apps share. */
  | { readonly kind: 'ignored'; readonly why: string }
  /** It did not come to that. */
  | { readonly kind: 'unverified'; readonly why: string };

/** The platform makes the ids of projects, and makes none like this. */
export const noProjectId = 'proj_modelgatewayprobethatmustnotexist';

/** The least that every surface takes. */
const request: ModelRequest = {
  messages: [{ role: 'user', content: 'Say hello.' }],
  maxTokens: 16,
};

/** Models of a surface that are asked until one of them is refused for its project. */
const modelsMax = 5;

/**
 * Calls a surface as any app would, for a project that does not exist. A refusal is made before
 * any model runs, so it costs nothing. Source: platforms, 1.3.
 */
export async function probe(
  models: readonly ModelPort[],
  options: AttemptOptions,
): Promise<ProbeResult> {
  let result: ProbeResult = { kind: 'unverified', why: 'none of its models is offered' };
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
  // An answer that cannot be read was made by a model all the same.
  if (status !== undefined && status < 300) return { kind: 'ignored', why: ignored };
  // A wrong path and an unknown model are 404 as well: the sentence alone tells them apart.
  const isOfProject = /\bnot_found/.test(detail) && /\bproject\b/i.test(sentence);
  if (status === 404 && isOfProject) return { kind: 'verified' };
  return { kind: 'unverified', why: detail };
}

const ignored = 'a call for a project that does not exist was answered';

/** Whether another model of the same surface may fare better. */
function isOfModel(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'failed' && [400, 403, 404].includes(outcome.status ?? 0);
}
