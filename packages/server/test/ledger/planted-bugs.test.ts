import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemorySubject } from './memory-subject.ts';
import { ledgerProperty } from './model.ts';
import { plantedBugs } from './planted-bugs.ts';
import { coreProof, proofOf, proofTimeoutMs } from './proof-size.ts';

// The property of the model test, on the correct core. The search ends at the first failure, so the
// rarest bug may take many more runs than the others.
const runs = 10 * coreProof.runs;

test.each(Object.entries(plantedBugs))(
  'the model finds that %s',
  { timeout: proofTimeoutMs },
  async (_, buggy) => {
    const property = ledgerProperty(async () => createMemorySubject(buggy), coreProof.steps);
    const result = await fc.check(property, { ...proofOf(runs), endOnFailure: true });
    expect(result).toMatchObject({ failed: true, interrupted: false });
  },
);
