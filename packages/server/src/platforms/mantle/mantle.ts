import type { PlatformConfig } from '../../domain/platform.ts';
import { createProjects } from '../billing/projects-api.ts';
import { vendorUrls } from '../http/base-url.ts';
import { createUndiciTransport } from '../http/undici-transport.ts';
import { createListModels } from '../model/list-models.ts';
import type { Platform, PlatformContext } from '../model/port.ts';
import { createRedact } from '../redaction/redact.ts';
import { createAuthorizedSend } from './authorized-send.ts';
import { createAwsCredentialChain, type FindAwsCredentials } from './aws-credentials.ts';
import { type Bearers, createMintedBearers, fixedBearer } from './bearers.ts';
import { createBillingVerification } from './billing-verification.ts';
import { mintBearer } from './mint-bearer.ts';
import { createMantleModels } from './models.ts';

export interface MantleParts {
  readonly config: PlatformConfig & { readonly region: string };
  /** Default: the AWS credential chain. */
  readonly findCredentials?: FindAwsCredentials;
  readonly context: PlatformContext;
}

/** Refuses calls until it has shown that it bills by project. */
export function createMantle(parts: MantleParts): Platform {
  const { config, context } = parts;
  const { name, kind, region, apiKey } = config;
  const baseUrl = config.baseUrl ?? vendorUrls.mantle(region);
  // Surfaces have paths of their own under the host; the URL may end in the first of them.
  const transport = createUndiciTransport({ ...context, baseUrl: baseUrl.replace(/\/v1$/, '') });
  const bearers = bearersOf(parts);
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

function bearersOf({ config, context, findCredentials }: MantleParts): Bearers {
  const { clock } = context;
  const { apiKey, region } = config;
  if (apiKey !== undefined) return fixedBearer(apiKey);
  const find = findCredentials ?? createAwsCredentialChain(region);
  return createMintedBearers({
    clock,
    mint: async (about) => {
      const credentials = await find(about);
      return mintBearer({ credentials, region, now: clock.now() });
    },
  });
}
