import {
  bearerChallenge,
  type ConsoleResponse,
  jsonResponse,
  securityHeaders,
} from './http/http.ts';
import type { Answer, AnyRoute } from './routes/route.ts';

export function responseOf(answer: Answer, route: AnyRoute): ConsoleResponse {
  const { status = route.status ?? 200, cookies = [] } = answer;
  const more = cookies.length === 0 ? {} : { 'set-cookie': cookies };
  if ('body' in answer) {
    const tag = answer.etag === undefined ? {} : { etag: answer.etag };
    return jsonResponse(status, answer.body, { ...more, ...tag });
  }
  const headers = { ...securityHeaders, ...more };
  if ('csv' in answer) {
    const name = answer.name.replaceAll(/[^\w.-]/g, '_');
    const disposition = `attachment; filename="${name}"`;
    const own = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': disposition };
    return { status, headers: { ...headers, ...own }, body: answer.csv };
  }
  if ('events' in answer) {
    const own = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
    return { status, headers: { ...headers, ...own }, body: answer.events };
  }
  if ('html' in answer) {
    const challenge = status === 401 ? { 'www-authenticate': bearerChallenge } : {};
    const own = { 'content-type': 'text/html; charset=utf-8', ...challenge };
    return { status, headers: { ...headers, ...own }, body: answer.html };
  }
  return {
    status: answer.status ?? 303,
    headers: { ...headers, location: answer.location },
    body: '',
  };
}
