import { sampleModel } from './sample-keys.ts';

/** A line for a shell that makes a first call, free where the simulator answers it. */
export function firstCallLine(
  url: string,
  key: string,
  { model = sampleModel, maxTokens = 100 } = {},
): string {
  const body = JSON.stringify({
    model,
    maxTokens,
    messages: [{ role: 'user', content: 'Hello, gateway!' }],
  });
  return `curl -s ${url}/v1/chat -H 'x-api-key: ${key}' -H 'content-type: application/json' -d '${body}'`;
}

/** A service that listens on every address is reached here by one of them. */
export function reachableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
