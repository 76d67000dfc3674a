import { type SimulatorOptions, serveSimulator } from '@model-gateway/simulator';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createMantle } from '../../../src/platforms/kinds/bedrock-mantle.ts';
import {
  CredentialsError,
  type FindAwsCredentials,
} from '../../../src/platforms/mantle/aws-credentials.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { ensuredId } from '../support/ensured-id.ts';
import { answerText, startScriptedServer } from '../support/scripted-server.ts';
import { attemptOn, madeOf, modelRow } from '../support/try-platform.ts';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

const mantleConfig = { name: 'bedrock', kind: 'bedrock-mantle', region: 'us-east-1' } as const;

/** A mantle that mints its keys, in front of a simulator that accepts those of `takesBearer`. */
async function openMantle(
  findCredentials: FindAwsCredentials,
  takesBearer: SimulatorOptions['takesBearer'] & object = () => true,
) {
  const clock = createTestClock();
  const served = await serveSimulator({ port: 0, takesBearer });
  const config = {
    ...mantleConfig,
    baseUrl: `${served.url}/v1`,
  };
  const platform = madeOf(createMantle(config, { clock }, { findCredentials }));
  closings.push(() => platform.close(), served.close);
  const { id } = served.simulator.createProject('prod-acme-core-search');
  const row = { ...modelRow('sim-echo'), speaks: ['openai-v1-chat'] } as const;
  const attempt = () => attemptOn(platform, { model: platform.model(row), projectId: id });
  return { clock, platform, served, row, attempt };
}

const foundKeys: FindAwsCredentials = () =>
  Promise.resolve({ accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret' });

describe('a mantle with a minted key', () => {
  it('is verified, called and asked for projects with one key', async () => {
    const bearers = new Set<string>();
    const { platform, row, attempt } = await openMantle(foundKeys, (bearer) => {
      bearers.add(bearer);
      return bearer.startsWith('bedrock-api-key-');
    });
    await platform.verifyBilling?.([row], silentLog);
    expect(platform.refusal?.(row)).toBeUndefined();
    expect(await attempt()).toMatchObject({ kind: 'answered' });
    expect(await ensuredId(platform.projects, 'prod-acme-core-tutor')).toMatch(/^proj_/);
    expect(bearers.size).toBe(1);
  });

  it('gets another one when it is rejected, and the call does not fail', async () => {
    const refusals: boolean[] = [];
    const seen: string[] = [];
    const { clock, attempt } = await openMantle(
      (about) => {
        refusals.push(about.isRefused);
        return foundKeys(about);
      },
      (bearer) => {
        seen.push(bearer);
        return seen.length === 1 || bearer !== seen[0];
      },
    );
    expect(await attempt()).toMatchObject({ kind: 'answered' });
    await clock.advance(60_000);
    expect(await attempt()).toMatchObject({ kind: 'answered' });
    expect(await attempt()).toMatchObject({ kind: 'answered' });
    expect(refusals).toEqual([false, true]);
    expect(new Set(seen).size).toBe(2);
  });

  it('that is never accepted is AUTH, and is hidden where the platform repeats it', async () => {
    const server = await startScriptedServer((socket, { head }) => {
      const bearer = /^authorization: Bearer (.*)$/m.exec(head)?.[1];
      const error = { code: 'invalid_api_key', message: `${bearer} of AKIAIOSFODNN7EXAMPLE` };
      socket.write(answerText(401, JSON.stringify({ error })));
    });
    const config = { ...mantleConfig, baseUrl: server.url };
    const parts = { findCredentials: foundKeys };
    const platform = madeOf(createMantle(config, { clock: systemClock }, parts));
    closings.push(() => platform.close(), server.close);
    const outcome = await attemptOn(platform, { projectId: 'proj_1' });
    expect(outcome).toMatchObject({
      ...{ kind: 'failed', code: 'AUTH', billed: 'no', status: 401 },
      detail: 'status 401 invalid_api_key: [redacted] of [redacted]',
    });
  });
});

describe('a mantle without credentials', () => {
  const none = () => Promise.reject(new CredentialsError('no AWS credentials were found'));

  it('is not used, and the log names the missing part in one line', async () => {
    const { platform, row } = await openMantle(none);
    const lines: object[] = [];
    const log = { ...silentLog, warn: (fields: object) => void lines.push(fields) };
    await platform.verifyBilling?.([row], log);
    const why = 'NO_CREDENTIALS: no AWS credentials were found';
    expect(lines).toEqual([{ platform: 'bedrock', pathFamily: 'openai-v1-chat', why }]);
    expect(platform.refusal?.(row)).toContain(why);
  });

  it('fails calls as the gateway’s own fault, unsent', async () => {
    const { attempt, served } = await openMantle(none);
    expect(await attempt()).toMatchObject({
      ...{ kind: 'failed', billed: 'no', isRetryable: false, isOwnFault: true },
      detail: 'not sent, NO_CREDENTIALS: no AWS credentials were found',
    });
    expect(served.simulator.bill().total.calls).toBe(0);
  });
});
