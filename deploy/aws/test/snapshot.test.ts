import { expect, test } from 'vitest';
import { synthesize } from './synthesize.ts';

test.each([
  ['example', {}],
  ['rest-api', { front: 'rest-api' }],
])('the templates of %s are what they were', async (name, properties) => {
  const { projects, gateway } = synthesize(properties);
  for (const [stack, { text }] of Object.entries({ projects, gateway })) {
    if (name !== 'example' && stack === 'projects') continue;
    await expect(`${text}\n`).toMatchFileSnapshot(`golden/${name}.${stack}.json`);
  }
});
