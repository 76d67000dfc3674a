import { editJson } from '../../../lib/json-text.ts';
import { isRecord, parseJson } from '../../../lib/json-value.ts';
import type { CallHandler, JsonBody, RequestHead } from '../../exchange/dialect.ts';
import { pathParameter } from '../path-parameter.ts';

/** A route below Azure's paths: the deployment is the model, whatever the body names. */
export function createDeploymentRoute({ parse }: CallHandler): CallHandler {
  return {
    kind: 'call',
    parse: (body, context, head) => parse(withDeployment(body, head), context, head),
  };
}

/** What is no JSON object is left to the parser of the body. */
function withDeployment(body: JsonBody, { path }: RequestHead): JsonBody {
  if (!isRecord(parseJson(body.text)?.value)) return body;
  const model = pathParameter(/^\/openai\/deployments\/([^/]+)\//.exec(path)?.[1]);
  const json = JSON.stringify(model);
  const text = editJson(body.text, [{ path: ['model'], json, isAdded: true }]);
  return { text, bytes: Buffer.byteLength(text) };
}
