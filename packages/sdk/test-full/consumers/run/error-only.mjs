// A module that tells errors apart, and calls nothing.
import { LlmError } from '@model-gateway/sdk';

console.log(LlmError.is(new Error('some other')));
