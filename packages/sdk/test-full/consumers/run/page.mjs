// A page that tries to use the client: the error must explain why it cannot.
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
