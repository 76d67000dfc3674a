// What a page does that takes the client for its own: it must be told why that cannot be.
import { createClient, LlmError } from '@model-gateway/sdk';

globalThis.fetch = () => {
  throw new Error('something was sent');
};
try {
  createClient({ baseUrl: 'https://gateway.example.com/v1', apiKey: 'mgk_of_a_page' }).models();
  console.log('it works');
} catch (error) {
  console.log(`${error.name}: ${error.message} ${LlmError.is(error)}`);
}
