// A page that tries to use the provider.
import { createModelGateway } from '@model-gateway/sdk/ai';

try {
  createModelGateway({ baseUrl: 'https://gateway.example.com/v1', apiKey: 'mgk_of_a_page' });
  console.log('it works');
} catch (error) {
  console.log(`${error.name}: ${error.message} false`);
}
