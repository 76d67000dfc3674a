export {
  createFakeClient,
  type FakeCall,
  type FakeClient,
  type FakeStep,
} from './testing/fake-client.ts';
export type { FakeAnswer, FakeCost, FakeError, FakeToolCall } from './testing/fake-step.ts';
export { FakeScriptError } from './testing/script-error.ts';
