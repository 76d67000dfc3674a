import { expect, test } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import { createReplicaWatch } from '../../src/observe/replica-watch.ts';
import type { Query, Store } from '../../src/store/port/port.ts';
import type { InstanceRow } from '../../src/store/queries/instances.ts';
import { createTestClock } from '../support/test-clock.ts';

/** A store with these instances, if they were seen since the requested time. */
function storeOf(kind: Store['kind'], instances: InstanceRow[]) {
  const read = async <T>({ map, values: [since] }: Query<T>) =>
    map(
      instances
        .filter(({ seenAt }) => seenAt > Number(since))
        .map(({ id, seenAt, configHash }) => ({
          ...{ id, seen_at: BigInt(seenAt), config_hash: configHash, schema_version: null },
        })),
    );
  return { kind, read };
}

function watchOf(kind: Store['kind']) {
  const clock = createTestClock();
  const instances: InstanceRow[] = [{ id: 'instance_1', seenAt: clock.now(), configHash: 'a' }];
  const lines: string[] = [];
  const note = (level: string) => (_fields: object, message: string) =>
    void lines.push(`${level} ${message}`);
  const log = { ...silentLog, warn: note('warn'), info: note('info') };
  const store = storeOf(kind, instances);
  const unlike: string[] = [];
  const own = ['instance_1'];
  const watch = createReplicaWatch({
    ...{ store, clock, log, thread: 1, own: () => own, configHash: 'a' },
    appsUnlikeFile: async () => [...unlike],
  });
  return { clock, instances, lines, unlike, own, watch };
}

const different = 'warn replicas run different configurations';
const same = 'info all replicas run the same configuration again';

test('a replica with another configuration is reported once, and its end too', async () => {
  const { clock, instances, lines, watch } = watchOf('postgres');
  const seen = (id: string, configHash: string) =>
    instances.push({ id, seenAt: clock.now() + 30_000, configHash });
  seen('instance_2', 'a');
  await clock.advance(10_000);
  expect([watch.state(), lines]).toEqual([{ replicas: 2, others: 0, unlikeFile: [] }, []]);
  seen('instance_3', 'b');
  await clock.advance(20_000);
  expect([watch.state(), lines]).toEqual([{ replicas: 3, others: 1, unlikeFile: [] }, [different]]);
  await clock.advance(60_000);
  expect([watch.state(), lines]).toEqual([
    { replicas: 1, others: 0, unlikeFile: [] },
    [different, same],
  ]);
  await watch.stop();
});

test('leftovers of another configuration are reported when its replica has gone', async () => {
  const { clock, instances, lines, unlike, watch } = watchOf('postgres');
  instances.push({ id: 'instance_2', seenAt: clock.now() + 15_000, configHash: 'b' });
  unlike.push('web');
  await clock.advance(20_000);
  expect([watch.state().unlikeFile, lines]).toEqual([['web'], [different]]);
  await clock.advance(60_000);
  const left =
    'warn apps in the store still have settings from a configuration that no running replica uses; restart a replica to apply the current configuration';
  expect(lines).toEqual([different, same, left]);
  expect(watch.state()).toMatchObject({ others: 0, unlikeFile: ['web'] });
  unlike.pop();
  await clock.advance(20_000);
  expect([watch.state().unlikeFile, lines.length]).toEqual([[], 3]);
  await watch.stop();
});

test('an embedded store has one service: an earlier one does not count', async () => {
  const { clock, instances, lines, watch } = watchOf('sqlite');
  instances.push({ id: 'instance_0', seenAt: clock.now() + 60_000, configHash: 'b' });
  await clock.advance(30_000);
  expect([watch.state(), lines]).toEqual([{ replicas: 1, others: 0, unlikeFile: [] }, []]);
});

test('the threads of this process are not replicas of it', async () => {
  const { clock, instances, lines, own, watch } = watchOf('postgres');
  own.push('instance_2');
  instances.push({ id: 'instance_2', seenAt: clock.now() + 30_000, configHash: 'b' });
  await clock.advance(10_000);
  expect([watch.state(), lines]).toEqual([{ replicas: 1, others: 0, unlikeFile: [] }, []]);
  await watch.stop();
});
