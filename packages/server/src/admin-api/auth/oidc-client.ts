import * as client from 'openid-client';
import { Agent, buildConnector, fetch as fetchBy } from 'undici';
import type { OidcConfig } from '../../domain/console.ts';
import { systemClock } from '../../lib/clock.ts';
import { createRoutes } from '../../lib/proxy-route.ts';
import { connectRouted } from '../../lib/tunnel.ts';
import { type Claims, claimsOf, mergedClaims } from './oidc-access.ts';

const defaultTimeoutMs = 5_000;
/** The standard allows skipping signatures if TLS authenticates the provider. */
const checks = [client.enableNonRepudiationChecks];
const answerBytesMax = 1_000_000;

/**
 * Limits time, response size and host. Only the first such login loads this file and the library.
 */
export function discover(config: OidcConfig): Promise<client.Configuration> {
  const url = new URL(config.issuer);
  const isClear = url.protocol === 'http:';
  return client.discovery(url, config.clientId, undefined, authentication(config), {
    [client.customFetch]: createBoundedFetch(config),
    timeout: (config.timeoutMs ?? defaultTimeoutMs) / 1_000,
    execute: isClear ? [...checks, client.allowInsecureRequests] : checks,
  });
}

function authentication({ clientSecret }: OidcConfig): client.ClientAuth {
  return clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret);
}

export interface Begun {
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export async function begin(
  provider: client.Configuration,
  { scopes }: OidcConfig,
  callback: string,
): Promise<Begun> {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(provider, {
    ...{ redirect_uri: callback, scope: scopes.join(' '), state, nonce },
    ...{ code_challenge_method: 'S256' },
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
  });
  return { url, state, nonce, verifier };
}

/**
 * Claims come from the ID token and, if some are missing, from the user info. Throws unless issuer,
 * audience, signature, nonce, state and time are valid.
 */
export async function finish(
  provider: client.Configuration,
  config: OidcConfig,
  callback: URL,
  begun: Omit<Begun, 'url'>,
): Promise<Claims> {
  const { state: expectedState, nonce: expectedNonce, verifier: pkceCodeVerifier } = begun;
  const expected = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(provider, callback, expected);
  const claims: Claims = { ...tokens.claims() };
  const isWhole = claimsOf(config).every((claim) => claim in claims);
  if (isWhole || provider.serverMetadata().userinfo_endpoint === undefined) return claims;
  const { sub = '' } = tokens.claims() ?? {};
  const userInfo = await client.fetchUserInfo(provider, tokens.access_token, sub);
  return mergedClaims(claims, { ...userInfo });
}

function createBoundedFetch(config: OidcConfig): client.CustomFetch {
  // Without a proxy Node's own `fetch` is enough, and already loaded.
  if (config.proxies === undefined) return (url, options) => fetchBounded(fetch, url, options);
  const dispatcher = new Agent({ connect: connectorOf(config) });
  return (url, options) =>
    fetchBounded((to, init) => fetchBy(to, { ...init, dispatcher }), url, options);
}

function connectorOf(config: OidcConfig): buildConnector.connector {
  const timeoutMs = config.timeoutMs ?? defaultTimeoutMs;
  return connectRouted({
    ...{ routeOf: createRoutes(config), timeoutMs, clock: systemClock },
    direct: buildConnector({ timeout: timeoutMs, allowH2: false }),
    secure: buildConnector({ timeout: 0, allowH2: false }),
  });
}

interface Answer {
  readonly status: number;
  readonly headers: Iterable<[string, string]>;
  readonly body: AsyncIterable<Uint8Array> | null;
}

interface ProviderRequest {
  readonly method: string;
  readonly redirect: 'manual';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

async function fetchBounded(
  send: (url: string, request: ProviderRequest) => Promise<Answer>,
  url: string,
  options: client.CustomFetchOptions,
): Promise<Response> {
  const { body, headers, method, redirect, signal } = options;
  const request = {
    method,
    redirect,
    headers,
    ...(method === 'GET' ? {} : { body: bodyOf(body) }),
  };
  const answer = await send(url, signal === undefined ? request : { ...request, signal });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > answerBytesMax) throw new Error('the response of the provider is larger than 1 MB');
    chunks.push(chunk);
  }
  const { status, headers: responseHeaders } = answer;
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), {
    status,
    headers: [...responseHeaders],
  });
}

/** Only forms are sent as bodies. */
function bodyOf(body: unknown): string {
  return String(body);
}
