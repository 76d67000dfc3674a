import { describe } from 'vitest';
import { describeAnswers, describeExchanges } from './conformance/answers.ts';
import { describeStatuses } from './conformance/statuses.ts';
import { aiSdkSubject, kinds } from './support/kinds.ts';
import { surfaces } from './support/surfaces.ts';

describe.each([...surfaces, ...kinds])('$name', (surface) => {
  describeAnswers(surface);
  describeStatuses(surface);
});

describe(aiSdkSubject.name, () => {
  describeExchanges(aiSdkSubject);
  describeStatuses(aiSdkSubject);
});
