import { Webhook } from 'standardwebhooks';

/** The event of a request from the gateway; throws for any other request. */
export function eventOf(body: string, headers: Record<string, string>, secret: string): unknown {
  return new Webhook(secret).verify(body, headers);
}
