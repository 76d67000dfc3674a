export type { FakeAnswer, FakeCost, FakeError, FakeToolCall } from './testing/fake-answer.ts';
export {
  createFakeClient,
  type FakeCall,
  type FakeClient,
  type FakeStep,
} from './testing/fake-client.ts';
