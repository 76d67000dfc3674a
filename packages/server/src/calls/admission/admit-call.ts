import type { CallFields } from '@model-gateway/contract';
import type { Catalog } from '../../catalog/catalog.ts';
import type { UnpricedPolicy } from '../../domain/unpriced-policy.ts';
import type { Wire } from '../../domain/wire.ts';
import type { ApiNames } from '../model/api-names.ts';
import type { Call } from '../model/call.ts';
import { CallError } from '../model/call-error.ts';
import type { Admitted } from '../model/candidate.ts';
import { notStreamable, unusableOf } from '../model/failure.ts';
import { wireOfOperation } from '../model/operation.ts';
import type { ModelRoute } from '../model/route.ts';
import { admit } from './admit.ts';
import type { Routing } from './routing.ts';
import { routesOf, unusableForMs } from './routing.ts';

export interface AdmissionParts {
  readonly routing: Routing;
  readonly catalog: Catalog;
  readonly unpriced: UnpricedPolicy;
}

export interface AdmittedCall {
  readonly admitted: Admitted;
  readonly routes: readonly [ModelRoute, ...ModelRoute[]];
}

/** Checks all reasons for refusal except money; reads no row. Throws INTERNAL as `routesOf`. */
export function admitCall<Request extends CallFields>(
  { routing, catalog, unpriced }: AdmissionParts,
  call: Call<Request>,
): AdmittedCall | CallError {
  const { context, operation, request, size } = call;
  const { app } = context;
  const { names } = context;
  const asked = { app, operation: operation.name, request, size, names };
  const admitted = admit({ ...asked, catalog, unpriced });
  if (admitted.kind === 'refused') {
    const { code, message, param } = admitted;
    return new CallError(code, message, { param });
  }
  const routes = routesOf(routing, app, admitted);
  if (context.stream !== undefined && !routes.every((route) => route.canStream())) {
    return notStreamable(call);
  }
  // Under a key there may be a stored answer, which the reservation finds.
  if (routing.unusable.size > 0 && context.idempotencyKey === undefined) {
    const forMs = unusableForMs(routing, routes);
    if (forMs !== undefined) return unusableOf(request.model, forMs);
  }
  const refusal = operation.refusal && unaskable(call, admitted, routes);
  return refusal ?? { admitted, routes };
}

function unaskable<Request extends CallFields>(
  { operation, request, context }: Call<Request>,
  { candidates }: Admitted,
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

/** The default platform would be asked, which does not serve this API: the id is the mistake. */
function unknownModel(model: string, wire: Wire, names: ApiNames): CallError {
  const message = `No platform here has the model ${model}: no row names it, and the default platform does not speak ${wire}; ${names.models} lists the models.`;
  return new CallError('INVALID', message, { model, param: 'model' });
}
