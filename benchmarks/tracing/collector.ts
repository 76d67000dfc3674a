import { createServer } from 'node:http';
import { serveUntilParentEnds } from '../processes/serve.ts';

// A collector that accepts and discards everything. GET / returns the number of exports.

let exports = 0;

serveUntilParentEnds(
  createServer((request, response) => {
    if (request.method === 'GET') return void response.end(String(exports));
    exports += 1;
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{}');
    });
  }),
);
