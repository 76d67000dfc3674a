// A page that tries to use the settings.
import { createOpenAiSettings } from '@model-gateway/sdk/openai';

try {
  createOpenAiSettings({ baseUrl: 'https://gateway.example.com/v1', apiKey: 'mgk_of_a_page' });
  console.log('it works');
} catch (error) {
  console.log(`${error.name}: ${error.message} false`);
}
