import {
  type ApiErrorCode,
  apiErrors,
  errorActions,
  type GatewayErrorName,
  gatewayActions,
  gatewayErrors,
} from '../../packages/contract/src/index.ts';
import { CallError } from '../../packages/server/src/calls/model/call-error.ts';
import { refuse } from '../../packages/server/src/ingress/dialects/gateway/refuse.ts';
import { refused } from '../../packages/server/src/ingress/exchange/refusal.ts';
import { seenByClient } from './seen-by-client.ts';
import { withTable } from './with-table.ts';

export function withErrorTables(document: string): string {
  const codes = Object.keys(apiErrors).filter(isCode);
  const isOfModel = (code: ApiErrorCode) => apiErrors[code].from === 'model';
  const ofRequests = codes.filter((code) => !isOfModel(code)).map(rowOf);
  const ofModels = codes.filter(isOfModel).map((code) => [...rowOf(code), whoPays(code)]);
  const ofGateway = Object.keys(gatewayErrors).filter(isGatewayName).map(gatewayRowOf);
  const heads = ['status', 'code', 'when', 'what to do', 'retried'];
  const gatewayHeads = ['status', 'message', 'when', 'what to do', 'code in the client', 'retried'];
  let text = withTable(document, 'errors: requests', heads, ofRequests);
  text = withTable(text, 'errors: models', [...heads, 'who pays'], ofModels);
  return withTable(text, 'errors: gateway', gatewayHeads, ofGateway);
}

function rowOf(code: ApiErrorCode): readonly string[] {
  const { status, when } = apiErrors[code];
  const { retried } = seenByClient(refuse(new CallError(code, 'A sentence.')));
  return [String(status), `\`${code}\``, when, errorActions[code].action, retried];
}

function whoPays(code: ApiErrorCode): string {
  const { whoPays: payer } = errorActions[code];
  if (payer === undefined) throw new Error(`${code} is an error of models without a payer`);
  return payer;
}

function gatewayRowOf(name: GatewayErrorName): readonly string[] {
  const { status, message, when } = gatewayErrors[name];
  const { code, retried } = seenByClient(refuse(refused(name)));
  return [String(status), message, when, gatewayActions[name], `\`${code}\``, retried];
}

function isCode(name: string): name is ApiErrorCode {
  return Object.hasOwn(apiErrors, name);
}

function isGatewayName(name: string): name is GatewayErrorName {
  return Object.hasOwn(gatewayErrors, name);
}
