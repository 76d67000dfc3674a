// A module that distinguishes errors, and calls nothing.
import { LlmError } from '@model-gateway/sdk';

console.log(LlmError.is(new Error('some other')));
