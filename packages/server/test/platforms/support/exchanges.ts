import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import {
  isFailure,
  type SendOutcome,
  type SendRequest,
  type SendResponse,
  type Transport,
  type TransportFailure,
} from '../../../src/platforms/http/transport.ts';
import {
  createUndiciTransport,
  type UndiciTransportOptions,
} from '../../../src/platforms/http/undici-transport.ts';
import { type Script, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const servers: ScriptedServer[] = [];
const transports: Transport[] = [];

/** A scripted server that {@link releaseAll} closes. */
export async function openServer(
  script: Script,
  onConnection?: (socket: Socket) => void,
): Promise<ScriptedServer> {
  const server = await startScriptedServer(script, onConnection);
  servers.push(server);
  return server;
}

/** A transport that {@link releaseAll} closes. */
export function openTransport(options: UndiciTransportOptions): Transport {
  const transport = createUndiciTransport(options);
  transports.push(transport);
  return transport;
}

/** Closes what a test opened. */
export async function releaseAll(): Promise<void> {
  for (const transport of transports.splice(0)) await transport.close();
  for (const server of servers.splice(0)) await server.close();
}

export function requestWith(signal: AbortSignal): SendRequest {
  return {
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: '{"model":"test-model"}',
    signal,
  };
}

/** Sends a small POST over its own transport. */
export function sendTo(
  baseUrl: string,
  signal: AbortSignal = new AbortController().signal,
  options: Partial<UndiciTransportOptions> = {},
): Promise<SendOutcome> {
  return openTransport({ baseUrl, ...options }).send(requestWith(signal));
}

/** The failure that an exchange must end with. */
export async function failureOf(exchange: Promise<SendOutcome>): Promise<TransportFailure> {
  const outcome = await exchange;
  if (isFailure(outcome)) return outcome;
  assert.fail(`expected a failure, got status ${outcome.status}`);
}

/** The response that an exchange must end with. */
export async function answerOf(exchange: Promise<SendOutcome>): Promise<SendResponse> {
  const outcome = await exchange;
  if (!isFailure(outcome)) return outcome;
  assert.fail(`expected an answer, got ${outcome.causeCode}`);
}
