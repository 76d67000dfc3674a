import { generate } from '../calls/attempts/attempts.ts';
import { finishCall } from '../calls/execute.ts';
import { createCallRunner } from '../calls/run.ts';
import { createDispatch } from '../ingress/dispatch.ts';
import { createListener } from '../ingress/http/listener.ts';
import { createIngress } from '../ingress/ingress.ts';
import { createConnections } from '../platforms/http/connections.ts';
import { Exchange } from '../platforms/http/exchange.ts';
import { createUndiciTransport } from '../platforms/http/undici-transport.ts';
import type { ModelPort } from '../platforms/model/port.ts';
import { createSurface } from '../platforms/wires/surface.ts';

/**
 * The path of a chat call from the caller's socket to the platform's. An editor's "go to
 * definition" stops at the interfaces. This map leads to the code of each step; a test compares the
 * steps with the stack of a real call.
 */
export const callPath = {
  'ingress/http/listener.ts:serve': createListener,
  'ingress/ingress.ts:handle': member(createIngress, 'handle'),
  'ingress/dispatch.ts:dispatch': createDispatch,
  'ingress/dispatch.ts:answerTo': createDispatch,
  'calls/run.ts:run': member(createCallRunner, 'run'),
  'calls/execute.ts:finishCall': finishCall,
  'calls/attempts/attempts.ts:generate': generate,
  'platforms/wires/surface.ts:attempt': modelOf(createSurface, 'attempt'),
  'platforms/wires/surface.ts:post': createSurface,
  'platforms/http/undici-transport.ts:send': member(createUndiciTransport, 'send'),
  'platforms/http/connections.ts:take': member(createConnections, 'take'),
  'platforms/http/exchange.ts:use': Exchange,
} as const;

/** The compiler checks that the result of `make` has the member. */
function member<Parts extends readonly never[], Made>(
  make: (...parts: Parts) => Made,
  _name: keyof Made,
) {
  return make;
}

function modelOf<Make>(make: Make, _name: keyof ModelPort): Make {
  return make;
}
