import { simulatorProjectId } from '@model-gateway/server/operations/projects/bindings';
import { projectIdOf } from '@model-gateway/simulator';
import { expect, test } from 'vitest';

test('the server derives a project’s id like the simulator', () => {
  for (const name of ['prod-acme-core-search', 'a', 'ümlaut']) {
    expect(simulatorProjectId(name)).toBe(projectIdOf(name));
  }
});
