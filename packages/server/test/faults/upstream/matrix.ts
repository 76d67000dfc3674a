import type { Operation } from '@model-gateway/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bindProject } from '../../../src/operations/projects/bindings.ts';
import { ask } from '../../compatible/support/openai.ts';
import { type Exchange, meet } from '../../support/exchange.ts';
import { openStack, type Stack, type StackOptions } from '../../support/stack.ts';
import { answerFaults } from './answer-faults.ts';
import { expectAnswer, expectBooked, expectOpenAiAnswer } from './check.ts';
import { answered, type Expected, ofEmbeddings, retried } from './expected.ts';
import { type Fault, replying } from './faults.ts';
import {
  type FaultyPlatform,
  hostName,
  type Met,
  type Misbehaviour,
  startFaultyPlatform,
} from './platform.ts';
import { type MatrixRequest, requestOf } from './requests.ts';
import { socketFaults } from './socket-faults.ts';
import { statusFaults } from './status-faults.ts';
import { answers, plainUsage, type Surface } from './surfaces.ts';

/** Every fault of a platform. Source: reliability, "upstream faults". */
export const faults: readonly Fault[] = [...socketFaults, ...statusFaults, ...answerFaults];

/** The faults that a response without text and tools can have. */
export function ofVectors(all: readonly Fault[]): readonly Fault[] {
  return all.filter(({ isOfText }) => isOfText !== true);
}

export interface MatrixParts {
  readonly surface: Surface;
  readonly operations: readonly Operation[];
  readonly faults: readonly Fault[];
  /** Tests each fault with one operation, the operations in turn. */
  readonly isInTurn?: true;
  /** The URL of an empty store; its own file by default. */
  readonly store?: () => Promise<string>;
  readonly stack?: StackOptions;
  /** If set, requests go to `/openai`, with this body made from the client's. */
  readonly asOpenAi?: (body: object) => object;
}

/**
 * Every fault, on all attempts and only on the first, for each operation. Checks the client's
 * response, the attempts, the ledger row, the wallet and the audit. Sockets are real and time is
 * virtual, so no machine is too slow.
 */
export function describeMatrix(parts: MatrixParts) {
  const { surface } = parts;
  let platform: FaultyPlatform;
  let stack: Stack;
  let cases = 0;
  beforeAll(async () => {
    platform = await startFaultyPlatform();
    const store = (await parts.store?.()) ?? 'sqlite:./gateway.db';
    const yaml = yamlOf(parts, platform, store);
    stack = await openStack({ ...parts.stack, yaml, pending: platform.pending });
    if (surface.needsProject === true) await bindProjects(stack);
  });
  afterAll(async () => {
    await stack.close();
    await platform.close();
    console.info(`${cases} cases of upstream faults on ${surface.name}`);
  });

  describe.each(parts.operations)('%s', (operation) => {
    test.each(faultsOf(parts, operation))('$name', async (fault) => {
      const row = typeof fault.comesTo === 'function' ? fault.comesTo(operation) : fault.comesTo;
      const met = { operation, model: modelOf(fault), does: fault.does(surface, operation) };
      // A model without a usable response is called once a minute.
      await stack.clock.advance(60_000);
      await meetFault({ ...met, times: Number.POSITIVE_INFINITY, expected: row.always });
      await stack.clock.advance(60_000);
      await meetFault({ ...met, times: 1, expected: row.once });
    });

    test('429 for a minute', async () => {
      let isOver = false;
      stack.clock.after(60_000, () => {
        isOver = true;
      });
      const does = (met: Met) => (isOver ? works(met) : replying(429, '')(met));
      const met = { operation, model: throttled, does, times: Number.POSITIVE_INFINITY };
      await meetFault({ ...met, expected: retried('THROTTLED').always });
      await stack.clock.advance(60_000);
      await meetFault({ ...met, expected: answered });
    });
  });

  function asked(request: MatrixRequest): MatrixRequest {
    return { ...request, body: parts.asOpenAi?.(request.body) ?? request.body };
  }

  function exchanged({ body, send }: MatrixRequest, userId: string): Promise<Exchange> {
    if (parts.asOpenAi === undefined) return meet(stack, 'tutor', send);
    return ask(stack, '/openai/v1/embeddings', {
      ...{ app: 'tutor', method: 'POST', body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json', 'idempotency-key': userId },
    });
  }

  async function meetFault(met: FaultMet) {
    const { operation, model, does, times } = met;
    cases += 1;
    const userId = `user-${cases}`;
    const answer = surface.write({ usage: plainUsage, ...answers[operation] });
    await platform.plan({ does, times, works, answer }, stack.clock);
    const request = asked(requestOf(operation, model, userId));
    const expected = operation === 'embeddings' ? ofEmbeddings(met.expected) : met.expected;
    const exchange = await exchanged(request, userId);
    if (parts.asOpenAi === undefined) expectAnswer(exchange, expected, model);
    else expectOpenAiAnswer(exchange, expected);
    if (expected.code === 'TIMEOUT') await stack.clock.advance(60_000);
    await expectBooked(stack.store, userId, expected, request, operation);
    const unreached = typeof does === 'function' ? 0 : Math.min(times, expected.attempts.length);
    expect(platform.requests()).toHaveLength(expected.attempts.length - unreached);
    const { checks } = await stack.audit();
    expect(checks.filter((check) => !check.ok)).toEqual([]);
  }
}

function faultsOf({ operations, faults, isInTurn }: MatrixParts, operation: Operation) {
  if (isInTurn !== true) return faults;
  return faults.filter((_, index) => operations[index % operations.length] === operation);
}

/** A call, its fault and its expected result. */
interface FaultMet {
  readonly operation: Operation;
  readonly model: string;
  readonly does: Misbehaviour;
  /** The number of attempts with the fault. */
  readonly times: number;
  readonly expected: Expected;
}

const throttled = 'throttled-for-a-minute';

function works(met: Met) {
  replying(200, met.answer)(met);
}

async function bindProjects({ admin, service, clock }: Stack) {
  for (const platform of ['plain', 'secure']) {
    await bindProject(admin, { app: 'tutor', platform, projectId: 'proj_matrix' });
  }
  await clock.run(service.registry.refresh());
}

/** Each fault has its own model, because a fault can open the circuit of its model. */
function modelOf({ name }: Fault): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function yamlOf(
  parts: MatrixParts,
  { port, securePort }: Pick<FaultyPlatform, 'port' | 'securePort'>,
  store: string,
): string {
  const { platform } = parts.surface;
  const { row = '' } = parts.surface;
  const models = parts.faults.map((fault) =>
    modelRow(modelOf(fault), fault.isSecure === true ? 'secure' : 'plain', row),
  );
  return `
company: acme
ingress: { openai: ${parts.asOpenAi !== undefined} }
store: "${store}"
platforms:
  plain: { ${platform(`http://${hostName}:${port}`)} }
  secure: { ${platform(`https://${hostName}:${securePort}`)} }
defaultPlatform: plain
plans: { user: { ratePerSecond: 1000, burst: 1000 } }
models:
${[...models, modelRow(throttled, 'plain', row)].join('\n')}
apps:
  - { name: tutor, dailyBudgetUsd: "1000", credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }
`;
}

function modelRow(id: string, platform: string, more: string): string {
  const output = more.includes('embeddings') ? '' : ', outputUsdPerMillion: "0.60"';
  const prices = `inputUsdPerMillion: "0.15"${output}`;
  return `  - { id: ${id}, platform: ${platform}, ${prices}${more === '' ? '' : `, ${more}`} }`;
}
