import type { CallFields } from '@model-gateway/contract';
import type { Alias, Catalog, CatalogModel } from '../../catalog/catalog.ts';
import type { App } from '../../domain/registered-app.ts';
import type { UnpricedPolicy } from '../../domain/unpriced-policy.ts';
import type { Wire } from '../../domain/wire.ts';
import type { ApiNames } from '../model/api-names.ts';
import type { Call } from '../model/call.ts';
import { CallError } from '../model/call-error.ts';
import type { AdmittedModels, RequestSize } from '../model/candidate.ts';
import { notStreamable, unusableOf } from '../model/failure.ts';
import { type OperationName, wireOfOperation } from '../model/operation.ts';
import type { ModelRoute } from '../model/route.ts';
import { boundOf } from './bound.ts';
import { pricingOf } from './pricing.ts';
import { type Routing, routesOf, unusableForMs } from './routing.ts';

export interface AdmissionParts {
  readonly routing: Routing;
  readonly catalog: Catalog;
  readonly unpriced: UnpricedPolicy;
}

export interface AdmittedCall {
  readonly admitted: AdmittedModels;
  readonly routes: readonly [ModelRoute, ...ModelRoute[]];
}

/** Checks all reasons for rejection except money; reads no row. Throws INTERNAL like `routesOf`. */
export function admitCall<Request extends CallFields>(
  { routing, catalog, unpriced }: AdmissionParts,
  call: Call<Request>,
): AdmittedCall | CallError {
  const { context, operation, request, size } = call;
  const { app } = context;
  const { names } = context;
  const facts = { app, operation: operation.name, request, size, names };
  const admitted = admit({ ...facts, catalog, unpriced });
  if (admitted.kind === 'refused') {
    const { code, message, param } = admitted;
    return new CallError(code, message, { param });
  }
  const routes = routesOf(routing, app, admitted);
  if (context.stream !== undefined && !routes.every((route) => route.canStream())) {
    return notStreamable(call);
  }
  // With an idempotency key, a stored response may exist. The reservation finds it.
  if (routing.unusable.size > 0 && context.idempotencyKey === undefined) {
    const forMs = unusableForMs(routing, routes);
    if (forMs !== undefined) return unusableOf(request.model, forMs);
  }
  const refusal = operation.refusal && refusalByModels(call, admitted, routes);
  return refusal ?? { admitted, routes };
}

function refusalByModels<Request extends CallFields>(
  { operation, request, context }: Call<Request>,
  { candidates }: AdmittedModels,
  routes: readonly ModelRoute[],
): CallError | undefined {
  for (const [index, route] of routes.entries()) {
    const model = candidates[index]?.model ?? candidates[0].model;
    const refusal = operation.refusal?.(request, model, route.wire());
    if (refusal === undefined) continue;
    const { name } = operation;
    const isRelay = name === 'messages' || name === 'responses';
    const isUnknown = isRelay && !model.isListed && route.wire() !== wireOfOperation[name];
    if (!isUnknown) return refusal;
    return unknownModel(request.model, wireOfOperation[name], context.names);
  }
  return undefined;
}

/**
 * The call would go to the default platform, which does not support this API, so the id is wrong.
 */
function unknownModel(model: string, wire: Wire, names: ApiNames): CallError {
  const message = `No platform has the model ${model}. It is not in the catalog, and the default platform does not support ${wire}. Use a model from ${names.models}.`;
  return new CallError('INVALID', message, { model, param: 'model' });
}

interface Refusal {
  readonly kind: 'refused';
  readonly code: 'INVALID' | 'USER_REQUIRED' | 'MODEL_NOT_ALLOWED' | 'MODEL_NOT_PRICED';
  readonly message: string;
  readonly param: 'model' | 'messages' | 'user';
}

/** Checks in the specified order. Contract, section 2. */
function admit(parts: {
  readonly app: App;
  readonly operation: OperationName;
  readonly request: CallFields;
  readonly size: RequestSize;
  readonly catalog: Catalog;
  readonly names: ApiNames;
  readonly unpriced: UnpricedPolicy;
}): AdmittedModels | Refusal {
  const { app, request, size, names } = parts;
  const wire = wireOfOperation[parts.operation];
  const alias = parts.catalog.alias(request.model, wire);
  const model = alias?.models[0] ?? parts.catalog.model(request.model, wire);
  const isEmbedding = parts.operation === 'embeddings';
  for (const { id, kind } of alias?.models ?? [model]) {
    if (isEmbedding !== (kind === 'embeddings')) return refuseMisfit(id, isEmbedding, names);
  }
  const takesImages = alias?.models.every(({ images }) => images) ?? model.images;
  if (size.images > 0 && !takesImages) {
    return refuse(
      'INVALID',
      'messages',
      `messages: the model ${request.model} does not accept images; send text, or use a model whose \`images\` is true in ${names.models}.`,
    );
  }
  const contextless = size.isUnbounded === true && withoutContext(alias?.models ?? [model]);
  if (contextless) return refuseContextless(contextless);
  const needsUser = app.credits !== undefined || app.perUserDailyPicoUsd !== undefined;
  if (needsUser && request.userId === undefined) return refuseUserless(app, names);
  if (app.models !== undefined && !app.models.has(request.model)) {
    return refuse(
      'MODEL_NOT_ALLOWED',
      'model',
      `The app ${app.name} is not allowed to use the model ${request.model}; use a model from ${names.models}.`,
    );
  }
  if (alias !== undefined) return admitAlias(alias, size, names);
  const pricing = model.price === undefined ? pricingOf(app, model, parts) : undefined;
  if (pricing?.kind === 'refused') {
    const why = app.credits === undefined ? 'requires a price' : 'meters credits';
    return refuse(
      'MODEL_NOT_PRICED',
      'model',
      `The model ${request.model} has no price, and the app ${app.name} ${why}. Use a priced model from ${names.models}, or ask the operator to add a price.`,
    );
  }
  const price = pricing?.kind === 'priced' ? pricing.price : model.price;
  const bound = boundOf(size, model, price);
  const candidate = { model, bound };
  const candidates = [candidate] as const;
  return { kind: 'admitted', model, bound, candidates, mostExpensive: candidate, alias };
}

function withoutContext(models: readonly CatalogModel[]): CatalogModel | undefined {
  return models.find(({ contextTokens }) => contextTokens === undefined);
}

function refuseContextless({ id }: CatalogModel): Refusal {
  const why = `the model ${id} has no \`contextTokens\`, so the cost of a file or URL is unknown; remove it, or ask the operator to add \`contextTokens\` to the model`;
  return refuse('INVALID', 'messages', `messages: ${why}.`);
}

function refuseUserless({ name, credits }: App, { user }: ApiNames): Refusal {
  const why =
    credits === undefined
      ? `the app ${name} has a daily budget per user, so every call must name its user`
      : `the app ${name} meters credits, so every call must name the user whose wallet pays`;
  return refuse('USER_REQUIRED', 'user', `${user} is missing: ${why}.`);
}

/** Every model of an alias needs its own price, whatever the `unpriced` policy. */
function admitAlias(alias: Alias, size: RequestSize, names: ApiNames): AdmittedModels | Refusal {
  const unpriced = alias.models.find(({ price }) => price === undefined);
  if (unpriced !== undefined) {
    return refuse(
      'MODEL_NOT_PRICED',
      'model',
      `The alias ${alias.id} includes the model ${unpriced.id}, which has no price. Use a priced model from ${names.models}, or ask the operator to add a price.`,
    );
  }
  const [first, ...others] = alias.models;
  const candidateOf = (model: CatalogModel) => ({ model, bound: boundOf(size, model) });
  const candidate = candidateOf(first);
  const candidates = [candidate, ...others.map(candidateOf)] as const;
  let mostExpensive = candidate;
  for (const each of candidates) {
    if (each.bound.amountPicoUsd > mostExpensive.bound.amountPicoUsd) mostExpensive = each;
  }
  return { kind: 'admitted', ...candidate, candidates, mostExpensive, alias };
}

function refuseMisfit(id: string, isEmbedding: boolean, names: ApiNames): Refusal {
  const { embeddings, models } = names;
  const toEmbed = embeddings === undefined ? '' : `send texts to ${embeddings}, or `;
  const why = isEmbedding
    ? `${id} does not support embeddings; use a model with "embeddings" in its \`operations\` of ${models}`
    : `${id} supports only embeddings; ${toEmbed}use another model`;
  return refuse('INVALID', 'model', `model: ${why}.`);
}

function refuse(code: Refusal['code'], param: Refusal['param'], message: string): Refusal {
  return { kind: 'refused', code, message, param };
}
