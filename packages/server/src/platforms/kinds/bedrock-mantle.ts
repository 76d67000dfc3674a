import type { PlatformConfig } from '../../domain/platform.ts';
import { bedrockMantle } from '../../domain/platform-kinds/bedrock-mantle.ts';
import { createProjects } from '../billing/projects-api.ts';
import {
  isFailure,
  type Send,
  type SendRequest,
  type TransportFailure,
} from '../http/transport.ts';
import { createUndiciTransport } from '../http/undici-transport.ts';
import { createAwsCredentialChain, type FindAwsCredentials } from '../mantle/aws-credentials.ts';
import { type Bearers, createMintedBearers, fixedBearer } from '../mantle/bearers.ts';
import { createBillingVerification } from '../mantle/billing-verification.ts';
import { mintBearer } from '../mantle/mint-bearer.ts';
import { createMantleModels } from '../mantle/models.ts';
import { createListModels } from '../model/list-models.ts';
import type { Platform, PlatformContext } from '../model/port.ts';
import { createRedact } from '../redaction/redact.ts';

interface MantleParts {
  readonly findCredentials?: FindAwsCredentials;
}

/** Rejects calls until the platform is known to bill by project. */
export function createMantle(
  config: PlatformConfig,
  context: PlatformContext,
  parts: MantleParts = {},
): Platform | string {
  const { name, kind, region, apiKey } = config;
  if (region === undefined) return 'requires a region, such as us-east-1';
  const baseUrl = config.baseUrl ?? bedrockMantle.defaultUrl(region);
  // Wire formats have their own paths under the host; the URL may end in the first of them.
  const transport = createUndiciTransport({ ...context, baseUrl: baseUrl.replace(/\/v1$/, '') });
  const bearers =
    apiKey === undefined ? mintedBearers(region, context, parts) : fixedBearer(apiKey);
  const send = createAuthorizedSend({ send: transport.send, bearers });
  const redact = createRedact([apiKey, ...(context.secrets ?? [])], bearers.inUse);
  const model = createMantleModels({ context, send, redact });
  const billing = createBillingVerification({ platform: name, context, send, model, redact });
  return {
    name,
    kind,
    needsProject: true,
    projects: createProjects({
      send,
      clock: context.clock,
      path: '/v1/organization/projects',
      headers: {},
      takesTags: true,
    }),
    listModels: createListModels({ send, path: '/v1/models', headers: {}, redact }),
    model,
    verifyBilling: billing.start,
    refusal: billing.refusal,
    close() {
      billing.stop();
      return transport.close();
    },
  };
}

function mintedBearers(
  region: string,
  { clock }: PlatformContext,
  { findCredentials: find = createAwsCredentialChain(region) }: MantleParts,
): Bearers {
  return createMintedBearers({
    clock,
    mint: async (about) => {
      const credentials = await find(about);
      return mintBearer({ credentials, region, now: clock.now() });
    },
  });
}

/** Renews a rejected bearer and resends once: a rejected request costs nothing. */
export function createAuthorizedSend(parts: { send: Send; bearers: Bearers }): Send {
  const { send, bearers } = parts;
  return async (request) => {
    const { signal } = request;
    const bearer = await untilCut(bearers.current(), signal).catch(noCredentials);
    if (typeof bearer !== 'string') return bearer;
    const answer = await send(withBearer(request, bearer));
    if (isFailure(answer) || (answer.status !== 401 && answer.status !== 403)) return answer;
    const next = await untilCut(bearers.another(bearer), signal).catch(() => {
      /* the rejection is clear enough: the first bearer came from the available credentials */
      return undefined;
    });
    return typeof next === 'string' ? send(withBearer(request, next)) : answer;
  };
}

function withBearer(request: SendRequest, bearer: string): SendRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${bearer}` } };
}

/** Credential sources accept no signal, so the call's own time ends the wait. */
function untilCut<T>(work: Promise<T>, signal: AbortSignal): Promise<T | TransportFailure> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(cut());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function cut() {
  return failureOf('aborted', 'ABORTED', 'the call was canceled during the search for credentials');
}

function noCredentials(error: unknown): TransportFailure {
  const message = error instanceof Error ? error.message : String(error);
  return failureOf('no-credentials', 'NO_CREDENTIALS', message);
}

function failureOf(
  kind: 'aborted' | 'no-credentials',
  causeCode: string,
  message: string,
): TransportFailure {
  return { kind, wasSent: false, causeCode, message, answer: undefined };
}
