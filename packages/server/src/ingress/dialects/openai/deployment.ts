import { editJson } from '../../../lib/json-text.ts';
import { isRecord, parseJson } from '../../../lib/json-value.ts';
import type { CallHandler, JsonBody, RequestHead } from '../../exchange/dialect.ts';
import { pathParameter } from '../path-parameter.ts';

/** Azure's paths: the deployment overrides the body's model. */
export function createDeploymentRoute({ parse }: CallHandler): CallHandler {
  return {
    kind: 'call',
    parse: (body, context, head) => parse(withDeployment(body, head), context, head),
  };
}

/** Leaves non-objects to the body's parser. */
function withDeployment(body: JsonBody, { path }: RequestHead): JsonBody {
  if (!isRecord(parseJson(body.text)?.value)) return body;
  const model = pathParameter(/^\/openai\/deployments\/([^/]+)\//.exec(path)?.[1]);
  const json = JSON.stringify(model);
  const text = editJson(body.text, [{ path: ['model'], json, isAdded: true }]);
  return { text, bytes: Buffer.byteLength(text) };
}
