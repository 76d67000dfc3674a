import { simulatorProjectId } from '@model-gateway/server/operations/projects/bindings';
import { projectIdOf } from '@model-gateway/simulator';
import { expect, test } from 'vitest';

test('the server knows the id of a project as the simulator makes it', () => {
  for (const name of ['prod-acme-core-search', 'a', 'ümlaut']) {
    expect(simulatorProjectId(name)).toBe(projectIdOf(name));
  }
});
