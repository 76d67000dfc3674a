import { describe } from 'vitest';
import { describeAnswers } from './conformance/answers.ts';
import { describeStatuses } from './conformance/statuses.ts';
import { kinds } from './support/kinds.ts';
import { surfaces } from './support/surfaces.ts';

describe.each([...surfaces, ...kinds])('$name', (surface) => {
  describeAnswers(surface);
  describeStatuses(surface);
});
