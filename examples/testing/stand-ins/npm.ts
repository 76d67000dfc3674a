// A stand-in for `npm ci --omit=dev`: copies the packages installed here, without a network and
// without unpacking them again.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { installProduction } from '../../../packages/server/test/support/production-packages.ts';

const { values, positionals } = parseArgs({
  options: {
    omit: { type: 'string' },
    'no-audit': { type: 'boolean' },
    'no-fund': { type: 'boolean' },
  },
  allowPositionals: true,
});
if (positionals.join() !== 'ci' || values.omit !== 'dev') throw new Error('say: npm ci --omit=dev');
process.stdout.write(`added ${installProduction(process.cwd())} packages in 0s\n`);
