import { sampleModel } from './sample-keys.ts';

/** A shell line, free where the simulator answers. */
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

/** Replaces an address that listens everywhere with a reachable one. */
export function reachableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
