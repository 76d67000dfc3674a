import { Webhook } from 'standardwebhooks';

/** The event of a request, if it was the gateway's; else it throws. */
export function eventOf(body: string, headers: Record<string, string>, secret: string): unknown {
  return new Webhook(secret).verify(body, headers);
}
